package dev.idempotency.load.stock;

import java.util.Map;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/** A Spring Cloud Gateway as one has it from the project generator, without the plugin. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class StockGateway {

	public static void main(String[] args) {
		SpringApplication application = new SpringApplication(StockGateway.class);
		application.setDefaultProperties(Map.of("spring.config.import", "file:" + System.getenv("GATEWAY_ROUTES")));
		application.run(args);
	}

}
