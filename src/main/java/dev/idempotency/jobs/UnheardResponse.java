package dev.idempotency.jobs;

import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.server.reactive.AbstractServerHttpResponse;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The response of a client who did not wait: attempts have responses of their own. */
final class UnheardResponse extends AbstractServerHttpResponse {

	UnheardResponse() {
		super(DefaultDataBufferFactory.sharedInstance);
	}

	@Override
	@SuppressWarnings("unchecked")
	public <T> T getNativeResponse() {
		return (T) this;
	}

	@Override
	protected Mono<Void> writeWithInternal(Publisher<? extends DataBuffer> body) {
		return Flux.from(body).doOnNext(DataBufferUtils::release).then();
	}

	@Override
	protected Mono<Void> writeAndFlushWithInternal(Publisher<? extends Publisher<? extends DataBuffer>> body) {
		return writeWithInternal(Flux.from(body).concatMap(Flux::from));
	}

	@Override
	protected void applyStatusCode() {
		// nobody hears it
	}

	@Override
	protected void applyHeaders() {
		// nobody hears them
	}

	@Override
	protected void applyCookies() {
		// nobody gets them
	}

}
