package dev.idempotency.load.simulation;

import java.util.ArrayList;
import java.util.List;

import dev.idempotency.load.rig.Backend;
import dev.idempotency.load.rig.GatewayProcess;
import dev.idempotency.load.rig.Store;
import dev.idempotency.load.rig.Stores;

/** A backend, the stores, and one or more gateways in front of them. */
final class Stage implements AutoCloseable {

	private static final String ROUTES = """
			spring.cloud.gateway.server.webflux.routes:
			  - id: orders
			    uri: BACKEND
			    predicates: [ "Path=/orders/**" ]
			    filters: [ "Idempotency=orders" ]
			  - id: warm-up
			    uri: BACKEND
			    predicates: [ "Path=/warm-up" ]
			    filters: [ "Idempotency=orders" ]
			idempotency.policies.orders:
			  anonymous: share
			""";

	private final Backend backend = Backend.start();

	private final Stores stores;

	private final List<GatewayProcess> gateways = new ArrayList<>();

	private Stage(Store store, int gateways, String policy) {
		this.stores = Stores.of(store);
		StringBuilder routes = new StringBuilder(ROUTES.replace("BACKEND", this.backend.uri()));
		policy.lines().forEach((line) -> routes.append("  ").append(line).append('\n'));
		for (int i = 0; i < gateways; i++) {
			this.gateways.add(GatewayProcess.ready(this.stores.configuration() + routes));
			WarmUp.of(this.gateways.get(i));
		}
	}

	/**
	 * Starts it all; the gateways are warm then.
	 * @param store of the gateways
	 * @param gateways how many
	 * @param policy fields of the route's policy that differ from the default, one a line
	 */
	static Stage with(Store store, int gateways, String policy) {
		return new Stage(store, gateways, policy);
	}

	Backend backend() {
		return this.backend;
	}

	Stores stores() {
		return this.stores;
	}

	/** Where orders go: one address for each gateway. */
	List<String> addresses() {
		return this.gateways.stream().map((gateway) -> gateway.uri() + "/orders").toList();
	}

	/** The address of the only gateway, or of the first. */
	String address() {
		return addresses().get(0);
	}

	GatewayProcess gateway() {
		return this.gateways.get(0);
	}

	@Override
	public void close() {
		this.gateways.forEach(GatewayProcess::close);
		this.stores.close();
		this.backend.close();
	}

}
