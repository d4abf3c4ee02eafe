package dev.idempotency.core;

import java.time.InstantSource;

/**
 * What the jobs of all routes of an instance share.
 *
 * @param queue their queues
 * @param letters what was given up
 * @param signals wake workers of this instance
 * @param clock for the times that are shown
 * @since 0.1.0
 */
public record JobServices(JobQueue queue, DeadLetters letters, JobSignals signals, InstantSource clock) {

	/**
	 * The queue of ends of jobs that are to be posted.
	 * @param route the route's id
	 * @return the queue's name, which no route can have
	 */
	public static String callbacks(String route) {
		return route + "\ncallbacks";
	}

}
