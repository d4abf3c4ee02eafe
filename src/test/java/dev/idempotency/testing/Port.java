package dev.idempotency.testing;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * A port of the loopback interface that is ours throughout, whether connections to it are
 * accepted or refused.
 */
final class Port implements Closeable {

	private static final int BACKLOG = 1024;

	private final Consumer<Socket> onAccept;

	private int number;

	private volatile @Nullable ServerSocket listening;

	private @Nullable Thread acceptor;

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
		server.bind(address(), BACKLOG);
		this.number = server.getLocalPort();
		this.listening = server;
		Thread thread = new Thread(() -> acceptFrom(server), "scripted-port-" + this.number);
		thread.setDaemon(true);
		this.acceptor = thread;
		thread.start();
	}

	synchronized void refuse() throws IOException {
		close();
		Socket socket = new Socket();
		socket.setReuseAddress(true);
		socket.bind(address());
		this.held = socket;
	}

	@Override
	public synchronized void close() throws IOException {
		ServerSocket server = this.listening;
		if (server != null) {
			this.listening = null;
			server.close();
			awaitAcceptor();
		}
		if (this.held != null) {
			this.held.close();
			this.held = null;
		}
	}

	/** The system keeps the port occupied for as long as a thread waits in accept. */
	private void awaitAcceptor() throws InterruptedIOException {
		try {
			if (this.acceptor != null) {
				this.acceptor.join();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new InterruptedIOException("interrupted while a port was being closed");
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
	private void hand(ServerSocket server, Socket socket) {
		if (this.listening == server) {
			this.onAccept.accept(socket);
		}
		else {
			ScriptedConnection.reset(socket);
		}
	}

}
