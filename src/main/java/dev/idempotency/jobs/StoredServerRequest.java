package dev.idempotency.jobs;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;

import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpCookie;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.AbstractServerHttpRequest;
import org.springframework.http.server.reactive.SslInfo;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;

import dev.idempotency.core.JobRequest;
import reactor.core.publisher.Flux;

/** A request that was kept, for filters that ask what it was. Its connection is gone. */
final class StoredServerRequest extends AbstractServerHttpRequest {

	private final @Nullable InetSocketAddress remote;

	StoredServerRequest(JobRequest request) {
		super(HttpMethod.valueOf(request.method()), URI.create(request.uri()), "", headers(request));
		this.remote = address(request.remote());
	}

	private static HttpHeaders headers(JobRequest request) {
		HttpHeaders headers = new HttpHeaders();
		request.headers().forEach(header -> headers.add(header.name(), header.value()));
		return headers;
	}

	/** Numbers only: nobody is asked for names. */
	private static @Nullable InetSocketAddress address(@Nullable String written) {
		int space = (written != null) ? written.indexOf(' ') : -1;
		if (written == null || space < 0) {
			return null;
		}
		try {
			return new InetSocketAddress(InetAddress.getByName(written.substring(0, space)),
					Integer.parseInt(written.substring(space + 1)));
		}
		catch (UnknownHostException ex) {
			return null;
		}
	}

	@Override
	public @Nullable InetSocketAddress getRemoteAddress() {
		return this.remote;
	}

	/** An attempt sends the bytes itself. */
	@Override
	public Flux<DataBuffer> getBody() {
		return Flux.empty();
	}

	@Override
	protected MultiValueMap<String, HttpCookie> initCookies() {
		MultiValueMap<String, HttpCookie> cookies = new LinkedMultiValueMap<>();
		for (String line : getHeaders().getOrEmpty(HttpHeaders.COOKIE)) {
			for (String pair : line.split(";")) {
				int equals = pair.indexOf('=');
				if (equals > 0) {
					String name = pair.substring(0, equals).strip();
					cookies.add(name, new HttpCookie(name, pair.substring(equals + 1).strip()));
				}
			}
		}
		return cookies;
	}

	@Override
	protected @Nullable SslInfo initSslInfo() {
		return null;
	}

	@Override
	@SuppressWarnings("unchecked")
	public <T> T getNativeRequest() {
		return (T) this;
	}

}
