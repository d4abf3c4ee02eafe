package dev.idempotency.store.redis;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.internal.ThreadExecutorMap;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The one thread that reads from Redis, and that also keeps the time limits: when it gets
 * to run late, because the machine is busy or the process was frozen, it reads the
 * replies that have come before it looks at the clock. So a limit measures Redis and not
 * this gateway.
 */
final class ReadingThread extends DefaultEventLoopGroupProvider {

	private static final Executor OTHERS = Schedulers.parallel()::schedule;

	private final EventExecutor loop;

	private final Scheduler timers;

	/** Allocated here and never released, it outlives each client. */
	ReadingThread() {
		super(1);
		EventLoopGroup group = allocate(MultiThreadIoEventLoopGroup.class);
		this.loop = group.next();
		this.timers = Schedulers.fromExecutorService(group);
	}

	/**
	 * Where whoever asks now should go on after the reply: on his own event loop, where
	 * the connection of his request is, else on a thread for such work, but not here.
	 */
	Executor callersThread() {
		EventExecutor current = ThreadExecutorMap.currentExecutor();
		return (current == null || this.loop.inEventLoop()) ? OTHERS : (next) -> {
			try {
				current.execute(next);
			}
			catch (RejectedExecutionException ex) {
				// The loop has ended; what was asked for still has to be concluded.
				OTHERS.execute(next);
			}
		};
	}

	Scheduler timers() {
		return this.timers;
	}

}
