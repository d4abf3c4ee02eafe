package dev.idempotency.upstream;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/**
 * A server that does one thing with each connection and nothing else, for failures below
 * HTTP. Each connection has a thread of its own.
 */
final class RawBackend implements AutoCloseable {

	private static final int BACKLOG = 50;

	private final ServerSocket server;

	private final Act act;

	private final AtomicInteger connections = new AtomicInteger();

	private RawBackend(ServerSocket server, Act act) {
		this.server = server;
		this.act = act;
		daemon(this::accept);
	}

	/** Does this with each connection, then closes it. */
	static RawBackend doing(Act act) {
		return unchecked(() -> new RawBackend(new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()), act));
	}

	/** Reads a request and answers with these octets, whatever they are, then closes. */
	static RawBackend saying(String octets) {
		return doing((socket) -> {
			readRequest(socket.getInputStream());
			socket.getOutputStream().write(octets.getBytes(StandardCharsets.ISO_8859_1));
		});
	}

	/** The same behind TLS, for clients that show a certificate. */
	static RawBackend overTls(SSLContext tls, String protocol, boolean clientMustAuthenticate, Act act) {
		return unchecked(() -> {
			SSLServerSocket server = (SSLServerSocket) tls.getServerSocketFactory()
				.createServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
			server.setEnabledProtocols(new String[] { protocol });
			server.setNeedClientAuth(clientMustAuthenticate);
			return new RawBackend(server, act);
		});
	}

	/** Reads up to the end of the head and as much as its length says. */
	static void readRequest(InputStream in) throws IOException {
		StringBuilder head = new StringBuilder();
		while (head.indexOf("\r\n\r\n") < 0) {
			int octet = in.read();
			if (octet < 0) {
				throw new IOException("the request broke off");
			}
			head.append((char) octet);
		}
		int at = head.toString().toLowerCase(java.util.Locale.ROOT).indexOf("content-length:");
		if (at >= 0) {
			in.readNBytes(Integer.parseInt(head.substring(at + 15, head.indexOf("\r\n", at)).strip()));
		}
	}

	int port() {
		return this.server.getLocalPort();
	}

	int connections() {
		return this.connections.get();
	}

	@Override
	public void close() {
		unchecked(() -> {
			this.server.close();
			return this;
		});
	}

	private void accept() {
		try {
			while (true) {
				Socket socket = this.server.accept();
				this.connections.incrementAndGet();
				daemon(() -> serve(socket));
			}
		}
		catch (IOException ex) {
			// Closed: that is how it ends.
		}
	}

	private void serve(Socket socket) {
		try (socket) {
			this.act.on(socket);
		}
		catch (IOException ex) {
			// Part of the test.
		}
	}

	private static void daemon(Runnable task) {
		Thread thread = new Thread(task, "raw-backend");
		thread.setDaemon(true);
		thread.start();
	}

	private static <T> T unchecked(Step<T> step) {
		try {
			return step.run();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** What happens on a connection. */
	@FunctionalInterface
	interface Act {

		void on(Socket socket) throws IOException;

	}

	private interface Step<T> {

		T run() throws IOException;

	}

}
