package dev.idempotency.gateway;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;

import dev.idempotency.upstream.BodyBudget;
import reactor.core.publisher.Flux;

/**
 * A request whose body is looked at while it passes: it is not held up, and whoever reads
 * it reads the client's own buffers.
 */
final class TeedRequest extends ServerHttpRequestDecorator {

	private final long limit;

	private final BodyBudget.Share share;

	private final Watcher watcher;

	private final AtomicBoolean told = new AtomicBoolean();

	private volatile boolean asked;

	/**
	 * Around a request.
	 * @param request whose body is not yet read
	 * @param limit largest body to look at, in bytes
	 * @param share where the copy counts; a body for which there is no room is not looked
	 * at
	 * @param watcher told once
	 */
	TeedRequest(ServerHttpRequest request, long limit, BodyBudget.Share share, Watcher watcher) {
		super(request);
		this.limit = limit;
		this.share = share;
		this.watcher = watcher;
	}

	@Override
	public Flux<DataBuffer> getBody() {
		return Flux.defer(() -> {
			this.asked = true;
			ByteArrayOutputStream seen = new ByteArrayOutputStream();
			return super.getBody().doOnNext(buffer -> look(buffer, seen))
				.doOnComplete(() -> whole(seen))
				.doOnCancel(this::unread);
		});
	}

	private void whole(ByteArrayOutputStream seen) {
		if (this.told.compareAndSet(false, true)) {
			this.watcher.whole(seen.toByteArray());
		}
	}

	/** The exchange is over: who has not asked for the body by now never will. */
	void over() {
		if (!this.asked) {
			unread();
		}
	}

	private void unread() {
		if (this.told.compareAndSet(false, true)) {
			this.watcher.unread();
		}
	}

	private void look(DataBuffer buffer, ByteArrayOutputStream seen) {
		int more = buffer.readableByteCount();
		if (this.told.get()) {
			return;
		}
		if (seen.size() + (long) more > this.limit) {
			this.told.set(true);
			this.watcher.tooLarge();
		}
		else if (this.share.take(more)) {
			byte[] bytes = new byte[more];
			buffer.toByteBuffer(ByteBuffer.wrap(bytes));
			seen.writeBytes(bytes);
			// A backend that has all octets may answer before the end of the body is told
			// here, and nobody wants to be told it then.
			if (seen.size() == getHeaders().getContentLength()) {
				whole(seen);
			}
		}
		else {
			this.told.set(true);
		}
	}

	/** Wants to know what passed. */
	interface Watcher {

		/** All of it, and this was it. */
		void whole(byte[] body);

		/** More than is looked at. */
		void tooLarge();

		/**
		 * Nobody wanted all of it: a backend was not there, or answered before its end.
		 */
		void unread();

	}

}
