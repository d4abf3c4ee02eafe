package dev.idempotency.gateway;

import java.util.ArrayList;
import java.util.List;

/**
 * How the gateway's own answers and its replays look, for all routes.
 *
 * @param problemBase what problem types begin with
 * @param documentation where a problem's {@code Link} leads
 * @param droppedFromRecord response headers that are not replayed; a star at the end
 * stands for any ending
 * @param jobsPath where jobs are found, without a slash at the end
 * @since 0.1.0
 */
public record AnswerSettings(String problemBase, String documentation, List<String> droppedFromRecord,
		String jobsPath) {

	/**
	 * The headers that are left out of a record.
	 * @param further names besides those that are left out anyway
	 * @param kept names that are not left out, however common that is
	 * @return their names
	 */
	public static List<String> dropped(List<String> further, List<String> kept) {
		List<String> names = new ArrayList<>(ResponseHeaderPolicy.DROPPED_BY_DEFAULT);
		names.addAll(further);
		names.removeIf(name -> kept.stream().anyMatch(name::equalsIgnoreCase));
		return List.copyOf(names);
	}

}
