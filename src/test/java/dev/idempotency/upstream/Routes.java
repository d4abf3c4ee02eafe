package dev.idempotency.upstream;

import java.util.ArrayList;
import java.util.List;

/**
 * The configuration of a gateway for tests: routes with a policy each, all callers
 * sharing one bucket. The route {@code x} serves {@code /x/**}.
 */
final class Routes {

	private final List<String> policies = new ArrayList<>();

	private final List<String> routes = new ArrayList<>();

	private final List<String> settings = new ArrayList<>();

	/** A route and its policy, in YAML's flow form without the braces. */
	Routes route(String id, String uri, String policy) {
		return route(id, uri, policy, "");
	}

	/** The same with further filters behind the one under test. */
	Routes route(String id, String uri, String policy, String filters) {
		return route(id, uri, policy, filters, "");
	}

	/** The same with metadata of the route. */
	Routes route(String id, String uri, String policy, String filters, String metadata) {
		this.policies.add("  " + id + ": { anonymous: share, " + policy + " }");
		this.routes.add("""
				  - id: %s
				    uri: %s
				    predicates: [ "Path=/%s/**" ]
				    filters: [ "Idempotency=%s" %s ]
				    metadata: { %s }
				""".formatted(id, uri, id, id, filters, metadata));
		return this;
	}

	/** Any other line. */
	Routes with(String line) {
		this.settings.add(line);
		return this;
	}

	String yaml() {
		return "idempotency.policies:\n" + String.join("\n", this.policies) + "\n"
				+ "spring.cloud.gateway.server.webflux.routes:\n" + String.join("", this.routes)
				+ String.join("\n", this.settings) + "\n";
	}

}
