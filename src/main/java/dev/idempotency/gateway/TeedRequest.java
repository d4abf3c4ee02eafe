package dev.idempotency.gateway;

import java.io.ByteArrayOutputStream;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;

import reactor.core.publisher.Flux;

/**
 * A request whose body is looked at while it passes: it is not held up, and whoever reads
 * it reads the client's own buffers.
 */
final class TeedRequest extends ServerHttpRequestDecorator {

	private final long limit;

	private final Consumer<byte[]> whole;

	private final AtomicBoolean told = new AtomicBoolean();

	/**
	 * Around a request.
	 * @param request whose body is not yet read
	 * @param limit largest body to look at, in bytes; of larger ones nothing is told
	 * @param whole told once, when a body has passed to its end
	 */
	TeedRequest(ServerHttpRequest request, long limit, Consumer<byte[]> whole) {
		super(request);
		this.limit = limit;
		this.whole = whole;
	}

	@Override
	public Flux<DataBuffer> getBody() {
		return Flux.defer(() -> {
			ByteArrayOutputStream seen = new ByteArrayOutputStream();
			return super.getBody().doOnNext(buffer -> copy(buffer, seen)).doOnComplete(() -> {
				if (seen.size() <= this.limit && this.told.compareAndSet(false, true)) {
					this.whole.accept(seen.toByteArray());
				}
			});
		});
	}

	private void copy(DataBuffer buffer, ByteArrayOutputStream seen) {
		if (seen.size() <= this.limit) {
			byte[] bytes = new byte[buffer.readableByteCount()];
			buffer.toByteBuffer(java.nio.ByteBuffer.wrap(bytes));
			seen.writeBytes(bytes);
		}
	}

}
