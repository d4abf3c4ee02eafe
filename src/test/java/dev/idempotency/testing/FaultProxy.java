package dev.idempotency.testing;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A path to a server on this machine that can be cut, can swallow packets, lose replies
 * or be slow.
 */
public final class FaultProxy implements Closeable {

	private static final int CHUNK = 1 << 16;

	private final Set<Link> links = ConcurrentHashMap.newKeySet();

	private final InetSocketAddress target;

	private final Port port;

	private final Object change = new Object();

	private boolean stalled;

	private boolean losingReplies;

	private Duration delay = Duration.ZERO;

	/** A path that works, to a port of this machine. */
	public FaultProxy(int targetPort) {
		this.target = new InetSocketAddress(InetAddress.getLoopbackAddress(), targetPort);
		try {
			this.port = new Port(this::accept);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Where clients connect. */
	public int port() {
		return this.port.number();
	}

	/** Resets all connections and refuses new ones. */
	public void cut() {
		try {
			this.port.refuse();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		reset();
	}

	/** Resets all connections; new ones are welcome. */
	public void reset() {
		this.links.forEach(Link::reset);
	}

	/**
	 * Nothing gets through any more, and nobody is told. What was sent meanwhile arrives
	 * when the path is healed.
	 */
	public void blackhole() {
		synchronized (this.change) {
			this.stalled = true;
		}
	}

	/** Requests arrive, replies are lost for good. */
	public void loseReplies() {
		synchronized (this.change) {
			this.losingReplies = true;
		}
	}

	/** Each piece of data takes that long in each direction. */
	public void delay(Duration time) {
		synchronized (this.change) {
			this.delay = time;
		}
	}

	/** The path works again; connections that have lost something are reset. */
	public void heal() {
		try {
			this.port.listen();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		synchronized (this.change) {
			this.stalled = false;
			this.losingReplies = false;
			this.delay = Duration.ZERO;
			this.change.notifyAll();
		}
		this.links.stream().filter((link) -> link.lossy).forEach(Link::reset);
	}

	@Override
	public void close() throws IOException {
		this.port.close();
		reset();
	}

	private void accept(Socket client) {
		Link link = new Link(client);
		this.links.add(link);
		start(link::run);
	}

	private static void start(Runnable work) {
		Thread thread = new Thread(work, "fault-proxy");
		thread.setDaemon(true);
		thread.start();
	}

	/** One connection through the proxy. */
	private final class Link {

		private final Socket client;

		private final Socket server = new Socket();

		private volatile boolean lossy;

		Link(Socket client) {
			this.client = client;
		}

		void run() {
			try {
				this.server.connect(FaultProxy.this.target);
				this.server.setTcpNoDelay(true);
				this.client.setTcpNoDelay(true);
				start(() -> pump(this.server, this.client, true));
				pump(this.client, this.server, false);
			}
			catch (IOException ex) {
				reset();
			}
		}

		void reset() {
			FaultProxy.this.links.remove(this);
			ScriptedConnection.reset(this.client);
			ScriptedConnection.reset(this.server);
		}

		private void pump(Socket from, Socket to, boolean replies) {
			try {
				InputStream in = from.getInputStream();
				OutputStream out = to.getOutputStream();
				byte[] chunk = new byte[CHUNK];
				for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
					if (passes(replies)) {
						out.write(chunk, 0, count);
					}
				}
				to.shutdownOutput();
			}
			catch (IOException | InterruptedException ex) {
				reset();
			}
		}

		private boolean passes(boolean replies) throws InterruptedException {
			synchronized (FaultProxy.this.change) {
				long end = System.nanoTime() + FaultProxy.this.delay.toNanos();
				while (FaultProxy.this.stalled || System.nanoTime() < end) {
					FaultProxy.this.change.wait(FaultProxy.this.stalled ? 0 : 1);
				}
				boolean lost = replies && FaultProxy.this.losingReplies;
				this.lossy |= lost;
				return !lost;
			}
		}

	}

}
