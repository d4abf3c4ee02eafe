package dev.idempotency.app;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** A gateway without routes answers 404 to everything; somebody should be told why. */
@Component
class NoRoutesRemark {

	private static final Logger log = LoggerFactory.getLogger(NoRoutesRemark.class);

	private final RouteLocator routes;

	NoRoutesRemark(RouteLocator routes) {
		this.routes = routes;
	}

	@EventListener(ApplicationReadyEvent.class)
	void remark() {
		this.routes.getRoutes()
			.hasElements()
			.filter((some) -> !some)
			.subscribe((none) -> log.warn(
					"There are no routes: put gateway-routes.yml into the working directory, or name files with {}",
					RoutesFiles.VARIABLE));
	}

}
