package dev.idempotency.store;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import dev.idempotency.core.JobId;
import dev.idempotency.core.JobTicket;

/**
 * Tickets as text, for queues outside of this process: the job's id, how often it was
 * tried, and since when it has been in the queue.
 *
 * @since 0.1.0
 */
public final class JobTickets {

	private JobTickets() {
	}

	/**
	 * Writes a ticket.
	 * @param ticket the ticket
	 * @return one line of visible ASCII
	 */
	public static String write(JobTicket ticket) {
		return ticket.job() + ":" + ticket.tries() + ":" + ticket.since().toEpochMilli();
	}

	/**
	 * Reads a ticket.
	 * @param text what the queue has
	 * @return the ticket, {@code null} for what is none
	 */
	public static @Nullable JobTicket read(String text) {
		String[] parts = text.split(":", -1);
		JobId job = (parts.length == 3) ? JobId.parse(parts[0]) : null;
		if (job == null) {
			return null;
		}
		try {
			return new JobTicket(job, Integer.parseInt(parts[1]), Instant.ofEpochMilli(Long.parseLong(parts[2])));
		}
		catch (NumberFormatException ex) {
			return null;
		}
	}

}
