package dev.idempotency.testing;

import java.io.Closeable;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * A port of the loopback interface that is ours throughout, whether connections to it are
 * accepted or refused.
 */
final class Port implements Closeable {

	private static final int BACKLOG = 1024;

	private static final int TRIES = 200;

	private static final Duration PAUSE = Duration.ofMillis(10);

	private final Consumer<Socket> onAccept;

	private int number;

	private @Nullable ServerSocket listening;

	/**
	 * Bound but not listening: the system refuses connections, and nobody else gets the
	 * port.
	 */
	private @Nullable Socket held;

	Port(Consumer<Socket> onAccept) throws IOException {
		this.onAccept = onAccept;
		listen();
	}

	int number() {
		return this.number;
	}

	synchronized void listen() throws IOException {
		if (this.listening != null) {
			return;
		}
		close();
		ServerSocket server = new ServerSocket();
		server.setReuseAddress(true);
		patiently(() -> server.bind(address(), BACKLOG));
		this.number = server.getLocalPort();
		this.listening = server;
		Thread thread = new Thread(() -> acceptFrom(server), "scripted-port-" + this.number);
		thread.setDaemon(true);
		thread.start();
	}

	synchronized void refuse() throws IOException {
		close();
		Socket socket = new Socket();
		socket.setReuseAddress(true);
		patiently(() -> socket.bind(address()));
		this.held = socket;
	}

	@Override
	public synchronized void close() throws IOException {
		if (this.listening != null) {
			this.listening.close();
			this.listening = null;
		}
		if (this.held != null) {
			this.held.close();
			this.held = null;
		}
	}

	/**
	 * The port is ours but for a moment between two sockets, in which the system may lend
	 * it to a connection that somebody opens.
	 */
	private static void patiently(Binding binding) throws IOException {
		for (int tries = 1;; tries++) {
			try {
				binding.bind();
				return;
			}
			catch (BindException ex) {
				if (tries == TRIES) {
					throw ex;
				}
				LockSupport.parkNanos(PAUSE.toNanos());
			}
		}
	}

	private InetSocketAddress address() {
		return new InetSocketAddress(InetAddress.getLoopbackAddress(), this.number);
	}

	private void acceptFrom(ServerSocket server) {
		try {
			while (true) {
				Socket socket = server.accept();
				hand(server, socket);
			}
		}
		catch (IOException ex) {
			// Closed: that is how it ends.
		}
	}

	/** A connection that was accepted while the port was being closed is not served. */
	private synchronized void hand(ServerSocket server, Socket socket) {
		if (this.listening == server) {
			this.onAccept.accept(socket);
		}
		else {
			ScriptedConnection.reset(socket);
		}
	}

	private interface Binding {

		void bind() throws IOException;

	}

}
