package dev.idempotency.autoconfigure;

import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * One line for the log at the start.
 *
 * @param level how loud
 * @param text what
 */
record Remark(Level level, String text) {

	static Remark warn(String text) {
		return new Remark(Level.WARN, text);
	}

	static Remark info(String text) {
		return new Remark(Level.INFO, text);
	}

	void log(Logger logger) {
		logger.atLevel(this.level).log(this.text);
	}

}
