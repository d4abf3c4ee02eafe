package dev.idempotency.testing;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** One connection of a {@link ScriptedBackend}: reads requests and acts the replies. */
final class ScriptedConnection implements Runnable {

	/**
	 * A reset throws away what is still on its way, so it is given the time to arrive.
	 */
	private static final Duration TRAVEL = Duration.ofMillis(50);

	private final Socket socket;

	private final int number;

	private final Arrivals arrivals;

	private final Function<Arrival, Reply> script;

	private final Pause pause;

	ScriptedConnection(Socket socket, int number, Arrivals arrivals, Function<Arrival, Reply> script, Pause pause) {
		this.socket = socket;
		this.number = number;
		this.arrivals = arrivals;
		this.script = script;
		this.pause = pause;
	}

	@Override
	public void run() {
		try (this.socket) {
			this.socket.setTcpNoDelay(true);
			Wire wire = new Wire(new BufferedInputStream(this.socket.getInputStream()));
			Replying out = new Replying(new BufferedOutputStream(this.socket.getOutputStream()), this.pause);
			while (serve(wire, out)) {
				wire.begin();
			}
		}
		catch (IOException ex) {
			// The other side went away, or the script says so: both are part of a test.
		}
	}

	/** Ends the connection with RST rather than FIN. */
	static void reset(Socket socket) {
		try (socket) {
			socket.setSoLinger(true, 0);
		}
		catch (IOException ex) {
			// It is closed already.
		}
	}

	private boolean serve(Wire wire, Replying out) throws IOException {
		String[] line = wire.line().split(" ");
		List<HeaderLine> headers = wire.headers();
		Arrival head = new Arrival(System.nanoTime(), this.number, line[0], line[1], headers, new byte[0], wire.seen(),
				false);
		int index = this.arrivals.add(head);
		Reply reply = this.script.apply(head);
		if (reply.act == Reply.Act.RESET_UNREAD) {
			reset(this.socket);
			return false;
		}
		if ("100-continue".equalsIgnoreCase(head.header("Expect"))) {
			out.interim(100);
		}
		read(wire, head, index);
		return act(reply, head, out);
	}

	private void read(Wire wire, Arrival head, int index) throws IOException {
		ByteArrayOutputStream body = new ByteArrayOutputStream();
		boolean whole = false;
		try {
			wire.content(head.headers(), false, body);
			whole = true;
		}
		finally {
			this.arrivals.replace(index, new Arrival(head.nanos(), head.connection(), head.method(), head.target(),
					head.headers(), body.toByteArray(), wire.seen(), whole));
		}
	}

	private boolean act(Reply reply, Arrival request, Replying out) throws IOException {
		if (reply.act == Reply.Act.HANG) {
			this.pause.forever();
		}
		this.pause.until(reply.gate);
		this.pause.during(reply.delay);
		if (reply.act == Reply.Act.RESET) {
			reset(this.socket);
		}
		if (reply.act != Reply.Act.ANSWER) {
			return false;
		}
		out.write(reply, request.method());
		if (reply.end == Reply.End.RESET) {
			this.pause.during(TRAVEL);
			reset(this.socket);
		}
		return reply.end == Reply.End.KEEP;
	}

}
