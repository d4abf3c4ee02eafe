package dev.idempotency.load.rig;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.HttpServerCodec;

import java.net.InetSocketAddress;

/**
 * A backend that knows nothing of idempotency: it acts each time it is asked, and keeps
 * account of it. How it answers is told in the query of a request, see {@link Wish}.
 * {@code GET /ledger} shows the account; what is asked for below {@code /warm-up} is not
 * in it.
 */
public final class Backend implements AutoCloseable {

	private static final int BACKLOG = 1024;

	private final EventLoopGroup threads = Netty.oneThread("backend");

	private final Ledger ledger;

	private final Channel channel;

	private Backend(Ledger ledger) {
		this.ledger = ledger;
		this.channel = new ServerBootstrap().group(this.threads)
			.channel(Netty.server())
			.option(ChannelOption.SO_BACKLOG, BACKLOG)
			.childOption(ChannelOption.TCP_NODELAY, true)
			.childHandler(new ChannelInitializer<Channel>() {
				@Override
				protected void initChannel(Channel connection) {
					connection.pipeline().addLast(new HttpServerCodec(), new BackendHandler(ledger));
				}
			})
			.bind("127.0.0.1", 0)
			.syncUninterruptibly()
			.channel();
	}

	/** Starts on a free port and keeps account of every key. */
	public static Backend start() {
		return new Backend(Ledger.ofKeys());
	}

	/** Starts one that only counts, for millions of requests. */
	public static Backend counting() {
		return new Backend(Ledger.ofTotals());
	}

	/** For instance {@code http://127.0.0.1:40123}. */
	public String uri() {
		return "http://127.0.0.1:" + ((InetSocketAddress) this.channel.localAddress()).getPort();
	}

	/** What it has done so far. */
	public Ledger ledger() {
		return this.ledger;
	}

	/** How much the names and values of its answer's headers come to. */
	public static long headerBytes(int size) {
		return BackendHandler.created(new byte[size])
			.headers()
			.entries()
			.stream()
			.mapToLong((line) -> line.getKey().length() + line.getValue().length())
			.sum();
	}

	@Override
	public void close() {
		this.channel.close().syncUninterruptibly();
		this.threads.shutdownGracefully();
	}

}
