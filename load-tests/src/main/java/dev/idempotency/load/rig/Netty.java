package dev.idempotency.load.rig;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/** The cheapest transport there is here. */
public final class Netty {

	private static final boolean EPOLL = Epoll.isAvailable();

	private Netty() {
	}

	/** One thread, as a daemon. */
	public static EventLoopGroup oneThread(String name) {
		IoHandlerFactory handlers = EPOLL ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
		return new MultiThreadIoEventLoopGroup(1, (task) -> {
			Thread thread = new Thread(task, name);
			thread.setDaemon(true);
			return thread;
		}, handlers);
	}

	/** What a client connects with. */
	public static Class<? extends Channel> client() {
		return EPOLL ? EpollSocketChannel.class : NioSocketChannel.class;
	}

	static Class<? extends ServerChannel> server() {
		return EPOLL ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
	}

}
