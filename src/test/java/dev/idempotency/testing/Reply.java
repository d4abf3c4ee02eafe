package dev.idempotency.testing;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link ScriptedBackend} does with one request. Values are immutable; each method
 * gives a changed copy: {@code Reply.of(201).header("X", "1").body("hi").chunked()}.
 */
public final class Reply implements Cloneable {

	/** What happens once the request is there. */
	enum Act {

		/** Answers. */
		ANSWER,
		/** Reads the request, then is silent until the backend is closed. */
		HANG,
		/** Resets the connection after the head, its body unread: nothing was done. */
		RESET_UNREAD,
		/** Reads the request, then resets. */
		RESET,
		/** Reads the request, then ends the connection in good order. */
		CLOSE

	}

	/** What happens to the connection after the answer. */
	enum End {

		KEEP, CLOSE, RESET

	}

	/** How the length of the content is told. */
	enum Framing {

		LENGTH, CHUNKED, UNTIL_CLOSE

	}

	Act act = Act.ANSWER;

	int status = 200;

	List<HeaderLine> headers = List.of();

	byte[] body = {};

	Framing framing = Framing.LENGTH;

	@Nullable String length;

	Duration delay = Duration.ZERO;

	@Nullable CountDownLatch gate;

	@Nullable CountDownLatch bodyGate;

	@Nullable CountDownLatch pieceGate;

	Duration drip = Duration.ZERO;

	int pieceSize = Integer.MAX_VALUE;

	int cutAfter = Integer.MAX_VALUE;

	List<Reply> interim = List.of();

	End end = End.KEEP;

	private Reply() {
	}

	/** An answer with this status, no headers of its own and an empty body. */
	public static Reply of(int status) {
		return new Reply().with((reply) -> reply.status = status);
	}

	/** An answer with a JSON body. */
	public static Reply json(int status, String body) {
		return of(status).header("Content-Type", "application/json").body(body);
	}

	/** Reads the request and never answers. */
	public static Reply hang() {
		return acting(Act.HANG);
	}

	/** Reads the whole request, then resets the connection. */
	public static Reply reset() {
		return acting(Act.RESET);
	}

	/** Resets the connection once the head is there; does not count as an execution. */
	public static Reply resetUnread() {
		return acting(Act.RESET_UNREAD);
	}

	/** Reads the whole request, then closes the connection without a word. */
	public static Reply closeWithoutAnswer() {
		return acting(Act.CLOSE);
	}

	/** Adds a header line, sent as it stands. */
	public Reply header(String name, String value) {
		return with((copy) -> copy.headers = plus(this.headers, new HeaderLine(name, value)));
	}

	/** Adds one header line of about this many bytes. */
	public Reply oversizedHeader(int bytes) {
		return header("X-Large", "x".repeat(bytes));
	}

	/** The content, as UTF-8. */
	public Reply body(String text) {
		return body(text.getBytes(StandardCharsets.UTF_8));
	}

	/** The content. */
	public Reply body(byte[] octets) {
		return with((copy) -> copy.body = octets.clone());
	}

	/** Sends the content in chunks instead of with a length. */
	public Reply chunked() {
		return with((copy) -> copy.framing = Framing.CHUNKED);
	}

	/** Sends the content without any framing; the end of the connection ends it. */
	public Reply untilClose() {
		return with((copy) -> {
			copy.framing = Framing.UNTIL_CLOSE;
			copy.end = End.CLOSE;
		});
	}

	/** Says this for {@code Content-Length}, true or not. */
	public Reply contentLength(String value) {
		return with((copy) -> copy.length = value);
	}

	/** Waits so long before it answers. */
	public Reply after(Duration time) {
		return with((copy) -> copy.delay = time);
	}

	/** Waits for the latch before it does anything but read. */
	public Reply after(CountDownLatch latch) {
		return with((copy) -> copy.gate = latch);
	}

	/** Sends the head at once and the content only after the latch. */
	public Reply bodyAfter(CountDownLatch latch) {
		return with((copy) -> copy.bodyGate = latch);
	}

	/** Sends the content in pieces of this size (each a chunk where chunked). */
	public Reply pieces(int size) {
		return drip(size, Duration.ZERO);
	}

	/** Sends the content in pieces of this size, the second one only after the latch. */
	public Reply pieces(int size, CountDownLatch latch) {
		return with((copy) -> {
			copy.pieceSize = size;
			copy.pieceGate = latch;
		});
	}

	/** Sends the content in pieces of this size with a pause between them. */
	public Reply drip(int size, Duration pause) {
		return with((copy) -> {
			copy.pieceSize = size;
			copy.drip = pause;
		});
	}

	/** Closes the connection in good order after this many bytes of the content. */
	public Reply cutAfter(int bytes) {
		return with((copy) -> {
			copy.cutAfter = bytes;
			copy.end = End.CLOSE;
		});
	}

	/** Resets the connection after this many bytes of the content. */
	public Reply resetAfter(int bytes) {
		return cutAfter(bytes).thenReset();
	}

	/** Sends an interim answer first, for instance {@code Reply.of(103)}. */
	public Reply interim(Reply early) {
		return with((copy) -> copy.interim = plus(this.interim, early));
	}

	/** Closes the connection after the answer without announcing it. */
	public Reply thenClose() {
		return with((copy) -> copy.end = End.CLOSE);
	}

	/** Resets the connection after the answer. */
	public Reply thenReset() {
		return with((copy) -> copy.end = End.RESET);
	}

	private static Reply acting(Act act) {
		return new Reply().with((reply) -> reply.act = act);
	}

	private static <T> List<T> plus(List<T> list, T more) {
		return Stream.concat(list.stream(), Stream.of(more)).toList();
	}

	private Reply with(Consumer<Reply> change) {
		Reply copy = clone();
		change.accept(copy);
		return copy;
	}

	@Override
	protected Reply clone() {
		try {
			return (Reply) super.clone();
		}
		catch (CloneNotSupportedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
