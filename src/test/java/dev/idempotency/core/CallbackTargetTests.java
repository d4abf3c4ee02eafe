package dev.idempotency.core;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class CallbackTargetTests {

	@ParameterizedTest
	@ValueSource(strings = { "127.0.0.1", "10.1.2.3", "172.31.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
			"0.0.0.0", "::1", "::", "fe80::1", "fd00::1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::",
			"224.0.0.1", "255.255.255.255" })
	void aListedNameThatResolvesIntoTheOperatorsNetworkIsRefused(String address) throws UnknownHostException {
		CallbackTarget target = CallbackTarget.parse("https://hooks.example/x");
		assertThat(target.isPermitted(List.of("hooks.example"))).isTrue();
		assertThat(target.isPermitted(List.of("hooks.example"), InetAddress.getByName(address))).isFalse();
	}

	@Test
	void aPublicAddressIsPermittedAndAPrivateOneWhereItIsListed() throws UnknownHostException {
		CallbackTarget target = CallbackTarget.parse("https://hooks.example/x");
		assertThat(target.isPermitted(List.of("hooks.example"), InetAddress.getByName("93.184.216.34"))).isTrue();
		assertThat(target.isPermitted(List.of("hooks.example", "10.0.0.0/8"), InetAddress.getByName("10.1.2.3")))
			.isTrue();
		assertThat(target.isPermitted(List.of("hooks.example", "10.0.0.0/8"), InetAddress.getByName("11.1.2.3")))
			.isTrue();
		assertThat(target.isPermitted(List.of("hooks.example", "10.0.0.0/8"), InetAddress.getByName("192.168.0.1")))
			.isFalse();
	}

	@Test
	void namesPortsAndWildcardsAreTakenAtTheirWord() {
		CallbackTarget deep = CallbackTarget.parse("https://A.hooks.example:8443/x");
		assertThat(deep.isPermitted(List.of("*.hooks.example"))).isTrue();
		assertThat(deep.isPermitted(List.of("*.hooks.example:8443"))).isTrue();
		assertThat(deep.isPermitted(List.of("*.hooks.example:443"))).isFalse();
		assertThat(deep.isPermitted(List.of("hooks.example"))).isFalse();
		assertThat(CallbackTarget.parse("https://evilhooks.example/").isPermitted(List.of("*.hooks.example")))
			.isFalse();
		assertThat(CallbackTarget.parse("https://hooks.example/").isPermitted(List.of("*.hooks.example"))).isFalse();
		assertThat(CallbackTarget.parse("http://hooks.example/").isPermitted(List.of("hooks.example"))).isFalse();
		assertThat(deep.isPermitted(List.of())).isFalse();
	}

}
