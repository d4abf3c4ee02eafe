package dev.idempotency.jobs;

import java.net.InetSocketAddress;
import java.util.List;

import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.DefaultAddressResolverGroup;
import io.netty.resolver.InetSocketAddressResolver;
import io.netty.resolver.SimpleNameResolver;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;

import java.net.InetAddress;

/**
 * Resolves names as the machine does, and forgets what must not be connected to. What was
 * looked at is what is connected to: nobody asks again in between.
 */
final class PermittedAddresses extends AddressResolverGroup<InetSocketAddress> {

	private final CallbackPost.Permission permission;

	PermittedAddresses(CallbackPost.Permission permission) {
		this.permission = permission;
	}

	@Override
	protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
		AddressResolver<InetSocketAddress> names = DefaultAddressResolverGroup.INSTANCE.getResolver(executor);
		return new InetSocketAddressResolver(executor, new SimpleNameResolver<>(executor) {

			@Override
			protected void doResolve(String host, Promise<InetAddress> promise) {
				names.resolveAll(InetSocketAddress.createUnresolved(host, 0)).addListener(found -> {
					if (!found.isSuccess()) {
						promise.tryFailure(found.cause());
						return;
					}
					List<InetAddress> permitted = permitted((List<?>) found.getNow());
					if (permitted.isEmpty()) {
						promise.tryFailure(new RefusedException());
					}
					else {
						promise.trySuccess(permitted.get(0));
					}
				});
			}

			@Override
			protected void doResolveAll(String host, Promise<List<InetAddress>> promise) {
				names.resolveAll(InetSocketAddress.createUnresolved(host, 0)).addListener(found -> {
					if (!found.isSuccess()) {
						promise.tryFailure(found.cause());
						return;
					}
					List<InetAddress> permitted = permitted((List<?>) found.getNow());
					if (permitted.isEmpty()) {
						promise.tryFailure(new RefusedException());
					}
					else {
						promise.trySuccess(permitted);
					}
				});
			}

		});
	}

	private List<InetAddress> permitted(List<?> found) {
		return found.stream()
			.map(InetSocketAddress.class::cast)
			.map(InetSocketAddress::getAddress)
			.filter(this.permission::permits)
			.toList();
	}

	/** No address of the name may be connected to. */
	static final class RefusedException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		RefusedException() {
			super("no permitted address", null, false, false);
		}

	}

}
