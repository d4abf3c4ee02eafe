package dev.idempotency.app.demo;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import reactor.netty.ChannelBindException;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;

/**
 * An HTTP server of its own on the loopback interface, so that the gateway calls it as it
 * would call any other backend.
 */
final class DemoBackend implements SmartLifecycle {

	private static final Log logger = LogFactory.getLog(DemoBackend.class);

	private static final Duration STOP = Duration.ofSeconds(1);

	private final int port;

	private final Charges charges = new Charges();

	private @Nullable DisposableServer server;

	DemoBackend(int port) {
		this.port = port;
	}

	@Override
	public synchronized void start() {
		try {
			this.server = HttpServer.create()
				.bindAddress(() -> new InetSocketAddress(InetAddress.getLoopbackAddress(), this.port))
				.handle(new ReactorHttpHandlerAdapter(new ChargeRoutes(this.charges).handler()))
				.bindNow();
		}
		catch (ChannelBindException ex) {
			throw new InvalidConfigurationPropertyValueException(DemoBackendProperties.PREFIX + ".port", this.port,
					"The demo backend cannot listen there, most likely because another program does. Choose another "
							+ "port, or set demo.backend.enabled to false.",
					ex);
		}
		logger.info("Demo backend listens on http://localhost:" + port() + "/demo/charges");
	}

	@Override
	public synchronized void stop() {
		if (this.server != null) {
			this.server.disposeNow(STOP);
			this.server = null;
		}
	}

	@Override
	public synchronized boolean isRunning() {
		return this.server != null;
	}

	/** Before the gateway's own server starts, and after it has stopped. */
	@Override
	public int getPhase() {
		return 0;
	}

	synchronized int port() {
		return (this.server != null) ? this.server.port() : this.port;
	}

	/** How many charges were made. */
	long count() {
		return this.charges.count();
	}

}
