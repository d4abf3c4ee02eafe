package dev.idempotency.load.stock;

import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.cloud.gateway.config.GatewayAutoConfiguration;
import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.context.annotation.Bean;

/** One bucket for everybody: what Spring Cloud Gateway's own rate limiter needs to work. */
@AutoConfiguration(before = GatewayAutoConfiguration.class)
public class ConstantKeyAutoConfiguration {

	@Bean
	KeyResolver constantKey() {
		return (exchange) -> Mono.just("everybody");
	}

}
