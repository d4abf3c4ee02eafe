package dev.idempotency.upstream;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.FastThreadLocalThread;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.netty.NettyPipeline;

import static org.assertj.core.api.Assertions.assertThat;

class SurplusBytesTests {

	private static final String ANSWER = "HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok";

	private final EmbeddedChannel channel = new EmbeddedChannel();

	@BeforeEach
	void connect() {
		this.channel.pipeline().addLast(NettyPipeline.HttpCodec, new HttpClientCodec());
		InformationalResponses.dropFrom(this.channel);
		SurplusBytes.closeOn(this.channel);
	}

	@AfterEach
	void close() {
		this.channel.finishAndReleaseAll();
	}

	@Test
	void aConnectionWhoseAnswersAreAsLongAsTheySayStaysOpen() {
		for (int i = 0; i < 3; i++) {
			send();
			assertThat(answers(ANSWER)).isEqualTo(1);
		}
		assertThat(this.channel.isOpen()).isTrue();
	}

	@Test
	void bytesBehindAnAnswerInTheSamePacketCloseTheConnection() {
		send();
		assertThat(answers(ANSWER + "surplus")).isEqualTo(1);
		assertThat(this.channel.isOpen()).isFalse();
	}

	@Test
	void bytesThatComeLaterWithoutARequestCloseTheConnection() {
		send();
		answers(ANSWER);
		answers("surplus");
		assertThat(this.channel.isOpen()).isFalse();
	}

	@Test
	void aSecondAnswerToOneRequestReachesNobody() {
		send();
		assertThat(answers(ANSWER + ANSWER)).isEqualTo(1);
		assertThat(this.channel.isOpen()).isFalse();
	}

	@Test
	void anAnswerInSeveralPacketsIsNoSurplus() {
		send();
		int answers = 0;
		for (String piece : ANSWER.split("(?<=\\G.{5})")) {
			answers += answers(piece);
		}
		assertThat(answers).isEqualTo(1);
		assertThat(this.channel.isOpen()).isTrue();
	}

	@Test
	void anEarlyHintIsPassedOverAndIsNotTheEndOfTheAnswer() {
		send();
		assertThat(answers("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + ANSWER)).isEqualTo(1);
		assertThat(this.channel.isOpen()).isTrue();
	}

	/**
	 * Whoever is told of the end of an answer may go on at once, and is given the buffer
	 * of its packet for the next one. Only Netty's own threads are.
	 */
	@Test
	void whatIsWrittenNextIntoTheBufferOfAPacketIsNoSurplus() throws Exception {
		List<ByteBuf> next = new ArrayList<>();
		this.channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
			@Override
			public void channelRead(ChannelHandlerContext context, Object message) {
				ReferenceCountUtil.release(message);
				if (message instanceof LastHttpContent) {
					next.add(context.alloc().directBuffer().writeZero(1));
				}
			}
		});
		Thread thread = new FastThreadLocalThread(() -> {
			for (int i = 0; i < 3; i++) {
				send();
				this.channel.writeInbound(
						this.channel.alloc().directBuffer().writeBytes(ANSWER.getBytes(StandardCharsets.US_ASCII)));
			}
		});
		thread.start();
		thread.join();
		assertThat(next).hasSize(3);
		assertThat(this.channel.isOpen()).isTrue();
		next.forEach(ByteBuf::release);
	}

	private void send() {
		this.channel.writeOutbound(
				new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/", Unpooled.EMPTY_BUFFER));
		this.channel.releaseOutbound();
	}

	/** How many answers begin with these bytes. */
	private int answers(String bytes) {
		ByteBuf packet = Unpooled.copiedBuffer(bytes, StandardCharsets.US_ASCII);
		this.channel.writeInbound(packet);
		int answers = 0;
		HttpObject message;
		while ((message = this.channel.readInbound()) != null) {
			answers += (message instanceof HttpResponse) ? 1 : 0;
			ReferenceCountUtil.release(message);
		}
		return answers;
	}

}
