package dev.idempotency.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports of the loopback interface for other processes, which take seconds until they
 * listen. A port that the system lends may be lent again meanwhile, to any connection
 * that somebody opens; these lie below the ones it lends.
 */
public final class FreePort {

	private static final int FIRST = 10_000;

	/** The bus of a node of a Redis Cluster has its port as much above: free as well. */
	private static final int COUNT = 10_000;

	/** Tests that run side by side begin far apart. */
	private static final int STRIDE = 4_001;

	private static final AtomicInteger turn = new AtomicInteger((int) (ProcessHandle.current().pid() * STRIDE % COUNT));

	private FreePort() {
	}

	/** One that nobody listens on, and that was not given out for a long time. */
	public static int next() {
		for (int tries = 0; tries < COUNT; tries++) {
			int port = FIRST + Math.floorMod(turn.getAndIncrement(), COUNT);
			try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
				return socket.getLocalPort();
			}
			catch (IOException ex) {
				// Somebody's.
			}
		}
		throw new IllegalStateException("no port of " + COUNT + " from " + FIRST + " is free");
	}

}
