package dev.idempotency.upstream;

import java.util.function.Function;

import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.http.server.reactive.AbstractServerHttpResponse;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The response of one attempt: its own status and headers, connected to no client, so
 * that nothing of a failed attempt gets into the next one or into the answer.
 */
final class AttemptResponse extends AbstractServerHttpResponse {

	private final Function<Flux<DataBuffer>, Mono<Void>> localBody;

	/**
	 * A response nobody has written to yet.
	 * @param buffers the client response's buffers
	 * @param localBody takes what a handler or filter writes, in place of a backend's
	 * answer
	 */
	AttemptResponse(DataBufferFactory buffers, Function<Flux<DataBuffer>, Mono<Void>> localBody) {
		super(buffers);
		this.localBody = localBody;
	}

	@Override
	@SuppressWarnings("unchecked")
	public <T> T getNativeResponse() {
		return (T) this;
	}

	@Override
	protected Mono<Void> writeWithInternal(Publisher<? extends DataBuffer> body) {
		return this.localBody.apply(Flux.from(body));
	}

	@Override
	protected Mono<Void> writeAndFlushWithInternal(Publisher<? extends Publisher<? extends DataBuffer>> body) {
		return this.localBody.apply(Flux.from(body).concatMap(Flux::from));
	}

	@Override
	protected void applyStatusCode() {
		// there is no wire to apply it to
	}

	@Override
	protected void applyHeaders() {
		// there is no wire to apply them to
	}

	@Override
	protected void applyCookies() {
		getCookies().values()
			.forEach(cookies -> cookies.forEach(
					cookie -> getHeaders().add(org.springframework.http.HttpHeaders.SET_COOKIE, cookie.toString())));
	}

}
