package dev.idempotency.core;

import java.util.List;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import dev.idempotency.core.StoredResponse.Header;

/**
 * Keeps the last piece of a content of announced length back until its outcome is in the
 * store: a client that has counted all bytes does not wait for the end of the stream.
 * Where no length is announced, the end of the stream itself tells him.
 */
final class LastByte {

	/** Enough to keep both connections busy, little enough to hold for each client. */
	private static final int FEW = 4;

	private LastByte() {
	}

	static Flux<byte[]> after(Mono<Void> settled, StoredResponse head, Flux<byte[]> body) {
		long length = lengthOf(head.headers());
		return (length > 0) ? body.scan(new Piece(0, new byte[0]), Piece::next)
			.skip(1)
			.concatMap(piece -> (piece.end() >= length) ? settled.thenReturn(piece.bytes()) : Mono.just(piece.bytes()),
					FEW)
				: body;
	}

	private static long lengthOf(List<Header> headers) {
		for (Header header : headers) {
			if (header.name().equalsIgnoreCase("Content-Length")) {
				return parsed(header.value());
			}
		}
		return 0;
	}

	private static long parsed(String value) {
		try {
			return Long.parseLong(value.strip());
		}
		catch (NumberFormatException ex) {
			return 0;
		}
	}

	/** A piece and how many bytes had come when it ended. */
	private record Piece(long end, byte[] bytes) {

		Piece next(byte[] bytes) {
			return new Piece(this.end + bytes.length, bytes);
		}

	}

}
