package dev.idempotency.upstream;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;

import reactor.core.publisher.Flux;

/**
 * The request as one attempt sends it: headers as they reached the filter and the same
 * bytes each time, whatever has become of the client's connection.
 */
final class AttemptRequest extends ServerHttpRequestDecorator {

	private final HttpHeaders headers;

	private final byte[] body;

	private final DataBufferFactory buffers;

	private volatile boolean read;

	AttemptRequest(ServerHttpRequest request, byte[] body, DataBufferFactory buffers) {
		super(request);
		this.headers = HttpHeaders.readOnlyHttpHeaders(HttpHeaders.copyOf(request.getHeaders()));
		this.body = body;
		this.buffers = buffers;
	}

	@Override
	public HttpHeaders getHeaders() {
		return this.headers;
	}

	@Override
	public Flux<DataBuffer> getBody() {
		return Flux.defer(() -> {
			this.read = true;
			return (this.body.length == 0) ? Flux.empty() : Flux.just(this.buffers.wrap(this.body));
		});
	}

	/**
	 * Whether anybody asked for the body: a filter that looks into it, or a client that
	 * does not report what it sends.
	 */
	boolean wasRead() {
		return this.read;
	}

}
