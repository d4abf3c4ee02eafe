package dev.idempotency.upstream;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/** A port at which connections neither come about nor are refused. */
final class FullBacklog implements AutoCloseable {

	private static final int MOST = 64;

	private static final int PATIENCE_MILLIS = 200;

	private final ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());

	private final List<Socket> waiting = new ArrayList<>();

	FullBacklog() throws IOException {
		try {
			for (int i = 0; i < MOST; i++) {
				Socket socket = new Socket();
				this.waiting.add(socket);
				socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()), PATIENCE_MILLIS);
			}
			throw new IllegalStateException("the backlog does not fill");
		}
		catch (SocketTimeoutException ex) {
			// Full.
		}
	}

	int port() {
		return this.server.getLocalPort();
	}

	@Override
	public void close() throws IOException {
		for (Socket socket : this.waiting) {
			socket.close();
		}
		this.server.close();
	}

}
