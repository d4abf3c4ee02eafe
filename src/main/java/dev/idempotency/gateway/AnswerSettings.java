package dev.idempotency.gateway;

import java.util.List;

/**
 * How the gateway's own answers and its replays look, for all routes.
 *
 * @param problemBase what problem types begin with
 * @param documentation where a problem's {@code Link} leads
 * @param droppedFromRecord response headers that are not replayed; a star at the end
 * stands for any ending
 * @since 0.1.0
 */
public record AnswerSettings(String problemBase, String documentation, List<String> droppedFromRecord) {
}
