package dev.idempotency.gateway;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.server.reactive.AbstractServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;

import dev.idempotency.upstream.BodyBudget;
import reactor.core.publisher.Mono;
import reactor.netty.channel.AbortedException;
import reactor.netty.http.HttpOperations;
import reactor.util.context.Context;

/**
 * Reads a request's body into one array, once, bounded by the route's limit and by what
 * all routes together may hold.
 */
final class RequestBody {

	/** Under which Reactor looks for a consumer of errors that nobody waits for. */
	private static final String ON_ERROR_DROPPED = "reactor.onErrorDropped.local";

	private static final Consumer<Throwable> SAID_TWICE = (error) -> {
	};

	private final long limit;

	RequestBody(long limit) {
		this.limit = limit;
	}

	/**
	 * Reads it.
	 * @param request whose body is not yet read
	 * @param share where the bytes count
	 * @return the body, empty array if there is none; {@link TooLargeException} or
	 * {@link TooBusyException} before more than the limit was held,
	 * {@link BrokenOffException} if the client did not send all of it
	 */
	Mono<byte[]> read(ServerHttpRequest request, BodyBudget.Share share) {
		if (request.getHeaders().getContentLength() > this.limit) {
			return Mono.error(new TooLargeException());
		}
		return request.getBody()
			.onErrorMap(RequestBody::isBrokenOff, BrokenOffException::new)
			.collect(() -> new Pieces(this.limit, share), Pieces::add)
			.map(pieces -> {
				if (isAnswered(request)) {
					throw new BrokenOffException(null);
				}
				return pieces.joined();
			})
			// Reactor Netty tells of a lost client once more when the exchange ends; a
			// client that hangs up is nothing to log as an error.
			.contextWrite(Context.of(ON_ERROR_DROPPED, SAID_TWICE));
	}

	private static boolean isBrokenOff(Throwable error) {
		return error instanceof IOException || error instanceof AbortedException;
	}

	/**
	 * Reactor Netty itself answers a body whose framing it cannot read, and then ends the
	 * body as if it were whole: what came of it must not be carried out.
	 */
	private static boolean isAnswered(ServerHttpRequest request) {
		ServerHttpRequest innermost = request;
		while (innermost instanceof ServerHttpRequestDecorator decorator) {
			innermost = decorator.getDelegate();
		}
		return innermost instanceof AbstractServerHttpRequest connected
				&& connected.getNativeRequest() instanceof HttpOperations<?, ?> exchange && exchange.hasSentHeaders();
	}

	private static byte[] copy(DataBuffer buffer) {
		byte[] bytes = new byte[buffer.readableByteCount()];
		buffer.read(bytes);
		DataBufferUtils.release(buffer);
		return bytes;
	}

	private static final class Pieces {

		private final List<byte[]> pieces = new ArrayList<>(1);

		private final long limit;

		private final BodyBudget.Share share;

		private long length;

		Pieces(long limit, BodyBudget.Share share) {
			this.limit = limit;
			this.share = share;
		}

		void add(DataBuffer buffer) {
			byte[] piece = copy(buffer);
			this.length += piece.length;
			if (this.length > this.limit) {
				throw new TooLargeException();
			}
			if (!this.share.take(piece.length)) {
				throw new TooBusyException();
			}
			this.pieces.add(piece);
		}

		byte[] joined() {
			if (this.pieces.size() == 1) {
				return this.pieces.get(0);
			}
			byte[] whole = new byte[(int) this.length];
			int at = 0;
			for (byte[] piece : this.pieces) {
				System.arraycopy(piece, 0, whole, at, piece.length);
				at += piece.length;
			}
			return whole;
		}

	}

	/** The body could not be had. */
	abstract static sealed class UnreadException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		UnreadException(String message, @Nullable Throwable cause) {
			super(message, cause, false, false);
		}

	}

	/** The body is larger than the route accepts. */
	static final class TooLargeException extends UnreadException {

		private static final long serialVersionUID = 1L;

		TooLargeException() {
			super("larger than max-request-size", null);
		}

	}

	/** The client went away before the body was whole: there is nobody to answer. */
	static final class BrokenOffException extends UnreadException {

		private static final long serialVersionUID = 1L;

		BrokenOffException(@Nullable Throwable cause) {
			super("broken off", cause);
		}

	}

	/** The bodies held at the moment leave no room for this one. */
	static final class TooBusyException extends UnreadException {

		private static final long serialVersionUID = 1L;

		TooBusyException() {
			super("max-buffered is used up", null);
		}

	}

}
