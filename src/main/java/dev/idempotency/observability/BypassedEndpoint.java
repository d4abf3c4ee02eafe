package dev.idempotency.observability;

import java.util.Map;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * What an operator sees while the kill switch is thrown.
 *
 * @since 0.1.0
 */
@Endpoint(id = "idempotency", defaultAccess = Access.READ_ONLY)
public class BypassedEndpoint {

	/** That nothing is protected. */
	@ReadOperation
	public Map<String, Object> summary() {
		return Map.of("enabled", false, "reason", "idempotency.enabled is false: all requests go through unprotected");
	}

}
