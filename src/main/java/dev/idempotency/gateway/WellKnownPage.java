package dev.idempotency.gateway;

import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

import reactor.core.publisher.Mono;

import org.springframework.http.HttpMethod;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * The page that tells clients the rules of each route
 * (draft-ietf-httpapi-idempotency-key-header-07, section 2.5.2): JSON, or HTML for who
 * prefers it.
 *
 * <p>
 * It shows what a client has to know to use its key rightly, and nothing of what is
 * behind the gateway.
 *
 * @since 0.1.0
 */
public final class WellKnownPage {

	/** Where it is found. */
	public static final String PATH = "/.well-known/idempotency";

	private final Supplier<Mono<List<DocumentedRoute>>> routes;

	private final WellKnownJson json;

	private final WellKnownHtml html = new WellKnownHtml();

	/**
	 * A page.
	 * @param routes the routes that carry the filter, asked on each request
	 * @param problems makes the types of problems
	 */
	WellKnownPage(Supplier<Mono<List<DocumentedRoute>>> routes, ProblemWriter problems) {
		this.routes = routes;
		this.json = new WellKnownJson(problems);
	}

	/**
	 * The page as an endpoint.
	 * @param routes under protection
	 * @param settings of the answers
	 * @return to be put before the gateway's routes
	 */
	public static RouterFunction<ServerResponse> router(ProtectedRoutes routes, AnswerSettings settings) {
		ProblemWriter problems = new ProblemWriter(settings.problemBase(), settings.documentation());
		return new WellKnownPage(() -> routes.current()
			.map((filter) -> new DocumentedRoute(filter.routeId(), filter.policy()))
			.collectList(), problems).router();
	}

	/** The page as an endpoint. */
	RouterFunction<ServerResponse> router() {
		return RouterFunctions.route(
				RequestPredicates.path(PATH).and(RequestPredicates.methods(HttpMethod.GET, HttpMethod.HEAD)),
				this::show);
	}

	private Mono<ServerResponse> show(ServerRequest request) {
		return this.routes.get().flatMap((routes) -> show(request, routes));
	}

	private Mono<ServerResponse> show(ServerRequest request, List<DocumentedRoute> routes) {
		List<DocumentedRoute> shown = routes.stream().sorted(Comparator.comparing(DocumentedRoute::id)).toList();
		ServerResponse.BodyBuilder answer = ServerResponse.ok()
			.header("Cache-Control", "no-cache")
			.header("Vary", "Accept")
			.header("X-Content-Type-Options", "nosniff")
			.header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'");
		if (prefersHtml(request)) {
			return answer.contentType(MediaType.parseMediaType("text/html;charset=UTF-8"))
				.bodyValue(this.html.write(shown));
		}
		return answer.contentType(MediaType.APPLICATION_JSON).bodyValue(this.json.write(shown));
	}

	/**
	 * JSON on a draw, for whoever accepts anything, or says nothing sensible, is a
	 * program.
	 */
	private static boolean prefersHtml(ServerRequest request) {
		try {
			return prefersHtml(request.headers().accept());
		}
		catch (InvalidMediaTypeException ex) {
			return false;
		}
	}

	private static boolean prefersHtml(List<MediaType> accepted) {
		return quality(accepted, MediaType.TEXT_HTML) > quality(accepted, MediaType.APPLICATION_JSON);
	}

	private static double quality(List<MediaType> accepted, MediaType type) {
		return accepted.stream()
			.filter((range) -> range.includes(type))
			.min(Comparator.comparing(MediaType::isWildcardType).thenComparing(MediaType::isWildcardSubtype))
			.map(MediaType::getQualityValue)
			.orElse(0.0);
	}

}
