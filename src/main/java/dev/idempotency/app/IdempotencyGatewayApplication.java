package dev.idempotency.app;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * Starts the ready gateway.
 *
 * @since 0.1.0
 */
@SpringBootApplication
public class IdempotencyGatewayApplication {

	public static void main(String[] args) {
		SpringApplication.run(IdempotencyGatewayApplication.class, args);
	}

}
