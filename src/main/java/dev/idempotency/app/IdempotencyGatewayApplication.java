package dev.idempotency.app;

import java.util.Map;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * Starts the ready gateway: {@code idempotency-gateway.yml} for what holds everywhere,
 * and the routes files for what an operator decides.
 *
 * @since 0.1.0
 */
@SpringBootApplication
public class IdempotencyGatewayApplication {

	public static void main(String[] args) {
		RoutesFiles routes = RoutesFiles.namedBy(System.getenv(RoutesFiles.VARIABLE));
		routes.firstUnreadable()
			.ifPresent((file) -> refuseToStart(RoutesFiles.VARIABLE + " names a file that cannot be read: " + file));
		routes.firstMalformed().ifPresent((error) -> refuseToStart("This routes file is not YAML: " + error));
		configured(new SpringApplication(IdempotencyGatewayApplication.class), routes).run(args);
	}

	/**
	 * Not {@code application.yml}: that name belongs to an application which has this one
	 * on its class path.
	 */
	static SpringApplication configured(SpringApplication application, RoutesFiles routes) {
		application.setDefaultProperties(
				Map.of("spring.config.name", "idempotency-gateway", RoutesFiles.IMPORT_PROPERTY, routes.imports()));
		application.addListeners(new CombinedLists(routes), new TelemetrySwitch());
		return application;
	}

	/** Before Spring starts: an operator's typing error deserves one line, no report. */
	private static void refuseToStart(String why) {
		System.err.println(why);
		System.exit(1);
	}

}
