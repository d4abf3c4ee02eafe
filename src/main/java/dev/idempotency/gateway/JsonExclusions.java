package dev.idempotency.gateway;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The places of a JSON document that do not count, as a tree of reference tokens (RFC
 * 6901).
 */
final class JsonExclusions {

	private final Map<String, JsonExclusions> below = new HashMap<>();

	private boolean excluded;

	private JsonExclusions() {
	}

	/**
	 * Builds the tree.
	 * @param pointers JSON pointers, each empty or beginning with a slash
	 * @return its root
	 */
	static JsonExclusions of(List<String> pointers) {
		JsonExclusions root = new JsonExclusions();
		pointers.forEach(root::add);
		return root;
	}

	private void add(String pointer) {
		JsonExclusions place = this;
		String[] tokens = pointer.split("/", -1);
		for (int i = 1; i < tokens.length; i++) {
			String token = tokens[i].replace("~1", "/").replace("~0", "~");
			place = place.below.computeIfAbsent(token, (name) -> new JsonExclusions());
		}
		place.excluded = true;
	}

	/** Whether the value at this place is left out. */
	boolean isExcluded() {
		return this.excluded;
	}

	/** The place of a member, {@code null} if nothing in it is left out. */
	@Nullable JsonExclusions member(String name) {
		return this.below.get(name);
	}

	/** The place of an element, {@code null} if nothing in it is left out. */
	@Nullable JsonExclusions element(int index) {
		return this.below.isEmpty() ? null : this.below.get(Integer.toString(index));
	}

}
