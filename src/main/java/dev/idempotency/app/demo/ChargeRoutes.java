package dev.idempotency.app.demo;

import java.net.URI;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.reactive.function.server.HandlerStrategies;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/** The resource {@code /demo/charges}. */
final class ChargeRoutes {

	private static final String PATH = "/demo/charges";

	private static final int LARGEST_BODY = 64 * 1024;

	private static final long LARGEST_AMOUNT = 1_000_000_000_000L;

	private final JsonMapper json = JsonMapper.builder().build();

	private final Charges charges;

	ChargeRoutes(Charges charges) {
		this.charges = charges;
	}

	/** Not a bean: the gateway would serve it as a route of its own. */
	HttpHandler handler() {
		RouterFunction<ServerResponse> routes = RouterFunctions.route()
			.POST(PATH, (request) -> Mono.defer(() -> charge(request)))
			.GET(PATH, (request) -> answer(HttpStatus.OK, this.charges.list()))
			.GET(PATH + "/{id}", this::show)
			.route((request) -> request.path().equals(PATH), this::methodNotAllowed)
			.route((request) -> true, (request) -> error(HttpStatus.NOT_FOUND, "There is only " + PATH + " here."))
			.onError(RefusedException.class, (ex, request) -> refused(ex))
			.onError(DataBufferLimitException.class, (ex, request) -> tooLarge())
			.build();
		return RouterFunctions.toHttpHandler(routes,
				HandlerStrategies.builder()
					.codecs((codecs) -> codecs.defaultCodecs().maxInMemorySize(LARGEST_BODY))
					.build());
	}

	private Mono<ServerResponse> charge(ServerRequest request) {
		Wish wish = Wish.of(request.queryParams());
		return request.bodyToMono(byte[].class)
			.defaultIfEmpty(new byte[0])
			.map(this::amount)
			.flatMap((amount) -> charge(request, wish, amount));
	}

	private Mono<ServerResponse> charge(ServerRequest request, Wish wish, long amount) {
		if (!wish.charges()) {
			return later(wish, error(HttpStatusCode.valueOf(wish.status()), "No charge was made, as you wished."));
		}
		Charge charge = this.charges.make(amount);
		if (wish.reset()) {
			return later(wish, reset(request));
		}
		if (wish.status() >= 500) {
			return later(wish, error(HttpStatusCode.valueOf(wish.status()),
					"Charge " + charge.id() + " was made; then something went wrong, as you wished."));
		}
		return later(wish, made(wish, charge));
	}

	private Mono<ServerResponse> later(Wish wish, Mono<ServerResponse> answer) {
		return wish.delay().isZero() ? answer : Mono.delay(wish.delay()).then(answer);
	}

	private Mono<ServerResponse> made(Wish wish, Charge charge) {
		ServerResponse.BodyBuilder response = ServerResponse.status(wish.status())
			.location(URI.create(PATH + "/" + charge.id()));
		boolean bodiless = wish.status() == 204 || wish.status() == 205;
		return bodiless ? response.build() : response.contentType(MediaType.APPLICATION_JSON).bodyValue(charge);
	}

	/** Ends the connection with RST instead of an answer. */
	private Mono<ServerResponse> reset(ServerRequest request) {
		return Mono.defer(() -> {
			HttpServerRequest netty = ServerHttpRequestDecorator.getNativeRequest(request.exchange().getRequest());
			netty.withConnection((connection) -> reset(connection.channel()));
			return Mono.never();
		});
	}

	private static void reset(Channel channel) {
		channel.config().setOption(ChannelOption.SO_LINGER, 0);
		channel.close();
	}

	private Mono<ServerResponse> show(ServerRequest request) {
		return this.charges.find(request.pathVariable("id"))
			.map((charge) -> answer(HttpStatus.OK, charge))
			.orElseGet(() -> error(HttpStatus.NOT_FOUND, "There is no such charge, or it is too old to be kept."));
	}

	/** Whatever the content type: curl's own is that of a form. */
	private long amount(byte[] body) {
		JsonNode amount = tree(body).path("amount");
		if (!amount.isIntegralNumber() || !amount.canConvertToLong() || amount.longValue() < 1
				|| amount.longValue() > LARGEST_AMOUNT) {
			throw RefusedException
				.badRequest("The body has to be JSON such as {\"amount\":1299}, amount a whole number from 1 to "
						+ LARGEST_AMOUNT + ".");
		}
		return amount.longValue();
	}

	private JsonNode tree(byte[] body) {
		try {
			return this.json.readTree(body);
		}
		catch (JacksonException ex) {
			throw RefusedException.badRequest("The body has to be JSON such as {\"amount\":1299}.");
		}
	}

	private Mono<ServerResponse> methodNotAllowed(ServerRequest request) {
		return ServerResponse.status(HttpStatus.METHOD_NOT_ALLOWED)
			.header(HttpHeaders.ALLOW, "GET, HEAD, POST")
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(new Failure("Charges are made with POST and listed with GET."));
	}

	private static Mono<ServerResponse> tooLarge() {
		return error(HttpStatus.CONTENT_TOO_LARGE, "The body is larger than " + LARGEST_BODY + " bytes.");
	}

	private static Mono<ServerResponse> refused(RefusedException ex) {
		return error(ex.status(), String.valueOf(ex.getMessage()));
	}

	private static Mono<ServerResponse> error(HttpStatusCode status, String message) {
		return answer(status, new Failure(message));
	}

	private static Mono<ServerResponse> answer(HttpStatusCode status, Object body) {
		return ServerResponse.status(status).contentType(MediaType.APPLICATION_JSON).bodyValue(body);
	}

	/**
	 * The body of every error.
	 *
	 * @param error what is wrong, in a sentence
	 */
	record Failure(String error) {
	}

}
