package dev.idempotency.upstream;

import java.net.ProtocolException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;

import org.jspecify.annotations.Nullable;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;

import dev.idempotency.core.Lease;
import dev.idempotency.core.Outcome;
import dev.idempotency.core.StoredResponse;
import dev.idempotency.core.StoredResponse.Header;
import dev.idempotency.upstream.OutcomeClassifier.Sent;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.Connection;
import reactor.util.context.ContextView;

/**
 * One run of the rest of the filter chain, as a value: it belongs to no client, ends by
 * itself, and its end says what is known of the work.
 */
final class Attempt {

	private final int number;

	private final BackendRequest backendRequest;

	private final UpstreamRoute route;

	private final AttemptRequest request;

	private final AttemptResponse response;

	private final AttemptExchange exchange;

	private final Sinks.One<Outcome> ended = Sinks.one();

	private final Disposable.Swap running = Disposables.swap();

	private volatile @Nullable AnswerBody body;

	private volatile @Nullable AttemptWatch watch;

	private final Sending sending;

	private volatile boolean backendAnswered;

	private volatile @Nullable CancellationException cut;

	Attempt(int number, BackendRequest backendRequest, UpstreamRoute route, Lease lease) {
		this.number = number;
		this.sending = new Sending(lease::isFresh);
		this.backendRequest = backendRequest;
		this.route = route;
		DataBufferFactory buffers = backendRequest.exchange().getResponse().bufferFactory();
		this.request = new AttemptRequest(backendRequest.exchange().getRequest(), route.policy().key(),
				backendRequest.body(), buffers);
		this.response = new AttemptResponse(buffers, this::readLocal);
		this.exchange = new AttemptExchange(backendRequest.exchange(), this.request, this.response);
	}

	void start(ContextView operation) {
		AttemptWatch accompanied = this.route.events().begun(this.number, operation);
		this.watch = accompanied;
		ContextView context = accompanied.context();
		// Where Gateway looks for the parent of what its HTTP client does.
		this.exchange.getAttributes().put(ServerWebExchangeUtils.GATEWAY_REACTOR_CONTEXT_ATTR, context);
		Mono<Void> chain = Mono.defer(() -> this.backendRequest.chain().filter(this.exchange))
			.contextWrite(context)
			.contextWrite(view -> view.put(Sending.class, this.sending));
		this.running.update(chain.subscribe(nothing -> {
		}, this::failed, this::routed));
	}

	/** How it ended; never an error. */
	Mono<Outcome> ended() {
		return this.ended.asMono();
	}

	/** Takes it back and ends it, unless something of it may have been sent. */
	boolean recall() {
		if (wasSent() != Sent.NO) {
			return false;
		}
		cut();
		return true;
	}

	/**
	 * Gives up waiting: the connection is closed, and it ends as broken off if anything
	 * was sent.
	 */
	void cut() {
		CancellationException why = new CancellationException("cut");
		this.cut = why;
		AnswerBody reading = this.body;
		if (reading != null) {
			reading.cut(why);
		}
		this.running.dispose();
		failed(why);
	}

	/**
	 * What is not sent when this is asked is not sent afterwards. A client that does not
	 * report has the benefit of the doubt as soon as routing has begun; so has a handler
	 * in this process from its first line on.
	 */
	private Sent wasSent() {
		if (this.backendAnswered || isForwarded()) {
			return Sent.YES;
		}
		boolean begun = ServerWebExchangeUtils.isAlreadyRouted(this.exchange) || this.request.wasRead();
		if (begun && !this.sending.isWatched()) {
			return Sent.PERHAPS;
		}
		return this.sending.recall() ? Sent.NO : Sent.YES;
	}

	/**
	 * The chain has come back: the answer's head is there, its body on the connection.
	 * What filters put off until the response is committed, cookies among it, is due now.
	 */
	private void routed() {
		Connection connection = this.exchange.getAttribute(ServerWebExchangeUtils.CLIENT_RESPONSE_CONN_ATTR);
		if (connection == null && this.body != null) {
			return;
		}
		this.backendAnswered = connection != null || isForwarded();
		if (connection != null && isInterim()) {
			connection.dispose();
			failed(new ProtocolException("a switch of protocols that nobody asked for"));
			return;
		}
		Flux<byte[]> content = (connection != null) ? connection.inbound().receive().asByteArray() : Flux.empty();
		this.response.setComplete().subscribe(nothing -> {
		}, error -> {
			content.subscribe().dispose();
			failed(error);
		}, () -> read(content));
	}

	/** 101: what follows on the connection is not HTTP (RFC 9110, section 15.2.2). */
	private boolean isInterim() {
		HttpStatusCode status = this.response.getStatusCode();
		return status != null && status.is1xxInformational();
	}

	/** A handler in this process, or a filter, writes the answer itself. */
	private Mono<Void> readLocal(Flux<DataBuffer> content) {
		this.backendAnswered = isForwarded();
		return read(content.map(Attempt::copy).doOnDiscard(DataBuffer.class, DataBufferUtils::release));
	}

	private Mono<Void> read(Flux<byte[]> content) {
		HttpHeaders headers = this.response.getHeaders();
		AnswerBody reading = new AnswerBody(this.route.terms(headers, this.backendRequest.share()));
		this.body = reading;
		reading.content().subscribe(this::answered, this::failed);
		content.subscribe(reading);
		CancellationException why = this.cut;
		if (why != null) {
			reading.cut(why);
		}
		return reading.over();
	}

	private void answered(AnswerBody.Content content) {
		if (content instanceof AnswerBody.Content.Whole whole) {
			end(outcomeOf(head(whole.bytes())));
			return;
		}
		AnswerBody.Content.Opened opened = (AnswerBody.Content.Opened) content;
		StoredResponse head = head(null);
		Mono<Outcome> end = opened.end()
			.then(Mono.fromSupplier(() -> this.route.classifier().streamed(this.number, head)))
			.onErrorResume(error -> Mono.just(this.route.classifier().brokenOff(this.number, error)));
		end(new Outcome.Streaming(this.number, this.route.answers().forClient(head), opened.body(), end));
	}

	private Outcome outcomeOf(StoredResponse answer) {
		return this.backendAnswered ? this.route.classifier().answered(this.number, answer)
				: this.route.classifier().answeredLocally(this.number, wasSent(), answer);
	}

	private void failed(Throwable error) {
		end(this.backendAnswered ? this.route.classifier().brokenOff(this.number, error)
				: this.route.classifier().failed(this.number, wasSent(), error));
	}

	private void end(Outcome outcome) {
		AttemptWatch accompanied = this.watch;
		if (this.ended.tryEmitValue(outcome).isSuccess() && accompanied != null) {
			accompanied.ended(outcome);
		}
	}

	/**
	 * A handler reached by {@code forward:} stands for a backend; a fallback that stands
	 * in for one does not.
	 */
	private boolean isForwarded() {
		URI target = this.exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR);
		return target != null && "forward".equals(target.getScheme())
				&& this.exchange.getAttribute(ServerWebExchangeUtils.CIRCUITBREAKER_EXECUTION_EXCEPTION_ATTR) == null;
	}

	private StoredResponse head(byte @Nullable [] content) {
		List<Header> lines = new ArrayList<>();
		this.response.getHeaders()
			.forEach((name, values) -> values.forEach(value -> lines.add(new Header(name, value))));
		HttpStatusCode status = this.response.getStatusCode();
		return new StoredResponse((status != null) ? status.value() : 200, lines, content);
	}

	private static byte[] copy(DataBuffer buffer) {
		byte[] bytes = new byte[buffer.readableByteCount()];
		buffer.read(bytes);
		DataBufferUtils.release(buffer);
		return bytes;
	}

}
