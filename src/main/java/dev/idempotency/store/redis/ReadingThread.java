package dev.idempotency.store.redis;

import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The one thread that reads from Redis, and that also keeps the time limits: when it gets
 * to run late, because the machine is busy or the process was frozen, it reads the
 * replies that have come before it looks at the clock. So a limit measures Redis and not
 * this gateway.
 */
final class ReadingThread extends DefaultEventLoopGroupProvider {

	private final Scheduler timers;

	/** Allocated here and never released, it outlives each client. */
	ReadingThread() {
		super(1);
		this.timers = Schedulers.fromExecutorService(allocate(MultiThreadIoEventLoopGroup.class));
	}

	Scheduler timers() {
		return this.timers;
	}

}
