package dev.idempotency.autoconfigure;

import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.Name;

/**
 * The names that a record of properties accepts, those of nested records with a dot.
 *
 * @param names in the order of declaration
 */
record Fields(List<String> names) {

	/** Names that are further apart are no misspellings of one another. */
	private static final int FARTHEST = 2;

	static Fields of(Class<? extends Record> type) {
		List<String> names = new ArrayList<>();
		collect("", type, names);
		return new Fields(List.copyOf(names));
	}

	private static void collect(String before, Class<?> type, List<String> names) {
		for (Parameter parameter : type.getDeclaredConstructors()[0].getParameters()) {
			Name given = parameter.getAnnotation(Name.class);
			String name = before
					+ ((given != null) ? given.value() : DataObjectPropertyName.toDashedForm(parameter.getName()));
			if (parameter.getType().isRecord()) {
				collect(name + ".", parameter.getType(), names);
			}
			else {
				names.add(name);
			}
		}
	}

	boolean contains(String name) {
		return this.names.contains(name);
	}

	boolean isGroup(String name) {
		return this.names.stream().anyMatch((field) -> field.startsWith(name + "."));
	}

	/** What could have stood there instead: the whole group, the likeliest first. */
	String insteadOf(String unknown) {
		List<String> group = group(unknown.substring(0, unknown.lastIndexOf('.') + 1));
		String nearest = group.stream().min(Comparator.comparingInt((name) -> distance(unknown, name))).orElse("");
		String hint = (distance(unknown, nearest) <= FARTHEST) ? "did you mean '" + nearest + "'? " : "";
		return hint + "accepted: " + String.join(", ", group);
	}

	private List<String> group(String prefix) {
		List<String> group = this.names.stream().filter((name) -> name.startsWith(prefix)).toList();
		return group.isEmpty() ? this.names : group;
	}

	/** Insertions, deletions and substitutions between two names (Levenshtein). */
	private static int distance(String from, String to) {
		int[] above = new int[to.length() + 1];
		for (int column = 0; column <= to.length(); column++) {
			above[column] = column;
		}
		for (int row = 1; row <= from.length(); row++) {
			int[] line = new int[to.length() + 1];
			line[0] = row;
			for (int column = 1; column <= to.length(); column++) {
				int changed = above[column - 1] + ((from.charAt(row - 1) != to.charAt(column - 1)) ? 1 : 0);
				line[column] = Math.min(changed, 1 + Math.min(above[column], line[column - 1]));
			}
			above = line;
		}
		return above[to.length()];
	}

}
