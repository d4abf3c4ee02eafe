package dev.idempotency.load.bench;

import java.util.ArrayList;
import java.util.List;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;

import dev.idempotency.load.rig.Netty;

/** A fixed number of connections to one gateway, all served by one thread. */
final class Client implements AutoCloseable {

	private final EventLoopGroup thread;

	private final List<ClientConnection> connections = new ArrayList<>();

	private final List<Channel> channels = new ArrayList<>();

	private Client(EventLoopGroup thread) {
		this.thread = thread;
	}

	static Client connect(EventLoopGroup thread, int port, int count) {
		Client client = new Client(thread);
		Bootstrap bootstrap = new Bootstrap().group(thread)
			.channel(Netty.client())
			.option(ChannelOption.TCP_NODELAY, true)
			.handler(new ChannelInitializer<Channel>() {
				@Override
				protected void initChannel(Channel channel) {
					channel.pipeline().addLast(new ClientConnection(channel));
				}
			});
		for (int i = 0; i < count; i++) {
			Channel channel = bootstrap.connect("127.0.0.1", port).syncUninterruptibly().channel();
			client.channels.add(channel);
			client.connections.add(channel.pipeline().get(ClientConnection.class));
		}
		return client;
	}

	EventLoopGroup thread() {
		return this.thread;
	}

	List<ClientConnection> connections() {
		return this.connections;
	}

	@Override
	public void close() {
		this.connections.forEach((connection) -> connection.listener(null));
		this.channels.forEach((channel) -> channel.close().syncUninterruptibly());
	}

}
