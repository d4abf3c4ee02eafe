package dev.idempotency.upstream;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Fails a test class while which Netty reported a buffer that nobody released. */
final class NettyLeaks implements BeforeAllCallback, AfterAllCallback {

	private static final int ROUNDS = 5;

	private static final int BUFFERS = 200;

	private final List<String> reports = new CopyOnWriteArrayList<>();

	private final AppenderBase<ILoggingEvent> listener = new AppenderBase<>() {

		@Override
		protected void append(ILoggingEvent event) {
			NettyLeaks.this.reports.add(event.getFormattedMessage());
		}

	};

	@Override
	public void beforeAll(ExtensionContext context) {
		this.listener.start();
		logger().addAppender(this.listener);
	}

	/** A leak is noticed when a lost buffer is collected and another one is tracked. */
	@Override
	public void afterAll(ExtensionContext context) {
		for (int round = 0; round < ROUNDS; round++) {
			System.gc();
			for (int i = 0; i < BUFFERS; i++) {
				PooledByteBufAllocator.DEFAULT.directBuffer(1).release();
			}
		}
		logger().detachAppender(this.listener);
		if (!this.reports.isEmpty()) {
			throw new AssertionError(this.reports.size() + " leaks, the first: " + this.reports.get(0));
		}
	}

	private static Logger logger() {
		return (Logger) LoggerFactory.getLogger(ResourceLeakDetector.class);
	}

}
