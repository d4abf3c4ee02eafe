package dev.idempotency.upstream;

import java.util.ArrayList;
import java.util.List;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;

import dev.idempotency.core.IdempotencyPolicy.KeyRules;
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

	AttemptRequest(ServerHttpRequest request, KeyRules key, byte[] body, DataBufferFactory buffers) {
		super(request);
		this.headers = HttpHeaders.readOnlyHttpHeaders(sent(request.getHeaders(), key));
		this.body = body;
		this.buffers = buffers;
	}

	/**
	 * The key is for the backend, also where a client calls it a matter of his connection
	 * (RFC 9110, section 7.6.1); and a request that is read whole upgrades no connection,
	 * for which Gateway would take it.
	 */
	private static HttpHeaders sent(HttpHeaders received, KeyRules key) {
		HttpHeaders headers = HttpHeaders.copyOf(received);
		headers.remove(HttpHeaders.UPGRADE);
		List<String> options = new ArrayList<>(received.getConnection());
		options.removeIf((option) -> isKey(option, key) || option.equalsIgnoreCase(HttpHeaders.UPGRADE));
		headers.remove(HttpHeaders.CONNECTION);
		if (!options.isEmpty()) {
			headers.setConnection(options);
		}
		return headers;
	}

	private static boolean isKey(String name, KeyRules key) {
		return name.equalsIgnoreCase(key.header()) || key.aliases().stream().anyMatch(name::equalsIgnoreCase);
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
