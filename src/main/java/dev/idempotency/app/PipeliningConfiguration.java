package dev.idempotency.app;

import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Lets pipelined requests be answered one after the other. */
@Configuration(proxyBeanMethods = false)
class PipeliningConfiguration {

	@Bean
	WebServerFactoryCustomizer<NettyReactiveWebServerFactory> oneRequestAtATime() {
		return (factory) -> factory.addServerCustomizers(
				(server) -> server.doOnChannelInit((observer, channel, address) -> OneRequestAtATime.on(channel)));
	}

}
