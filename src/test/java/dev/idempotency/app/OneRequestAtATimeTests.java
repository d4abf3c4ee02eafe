package dev.idempotency.app;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.netty.NettyPipeline;

import static org.assertj.core.api.Assertions.assertThat;

class OneRequestAtATimeTests {

	private final List<String> seen = new ArrayList<>();

	private final List<ByteBuf> sent = new ArrayList<>();

	private final EmbeddedChannel channel = new EmbeddedChannel();

	OneRequestAtATimeTests() {
		this.channel.pipeline().addLast(NettyPipeline.HttpTrafficHandler, new ChannelInboundHandlerAdapter() {

			@Override
			public void channelRead(ChannelHandlerContext context, Object message) {
				if (message instanceof HttpRequest request) {
					OneRequestAtATimeTests.this.seen.add(request.uri());
				}
				if (message instanceof HttpContent content) {
					OneRequestAtATimeTests.this.seen.add(content.content().toString(StandardCharsets.UTF_8));
					content.release();
				}
			}

		});
		OneRequestAtATime.on(this.channel);
	}

	/** Nothing that went in is still held by anybody. */
	@AfterEach
	void everythingIsReleased() {
		this.channel.finishAndReleaseAll();
		assertThat(this.sent).allSatisfy((buffer) -> assertThat(buffer.refCnt()).isZero());
	}

	@Test
	void theSecondRequestIsSeenOnlyAfterTheFirstIsAnswered() {
		request("/1", "a");
		request("/2", "b");
		request("/3", "c");
		assertThat(this.seen).containsExactly("/1", "a");
		answer();
		assertThat(this.seen).containsExactly("/1", "a", "/2", "b");
		answer();
		assertThat(this.seen).containsExactly("/1", "a", "/2", "b", "/3", "c");
		answer();
	}

	@Test
	void aRequestThatComesAfterTheAnswerDoesNotWait() {
		request("/1", "a");
		answer();
		request("/2", "b");
		assertThat(this.seen).containsExactly("/1", "a", "/2", "b");
	}

	@Test
	void partsOfABodyPassWhileItsRequestIsBeingAnswered() {
		this.channel.writeInbound(head("/1"), content("a"));
		this.channel.writeInbound(content("b"));
		assertThat(this.seen).containsExactly("/1", "a", "b");
		this.channel.writeInbound(last("c"));
		assertThat(this.seen).containsExactly("/1", "a", "b", "c");
	}

	@Test
	void anInterimAnswerIsNotTheAnswer() {
		request("/1", "a");
		request("/2", "b");
		this.channel.writeOutbound(
				new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
		this.channel.writeOutbound(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.PROCESSING),
				LastHttpContent.EMPTY_LAST_CONTENT);
		this.channel.runPendingTasks();
		assertThat(this.seen).containsExactly("/1", "a");
		answer();
		assertThat(this.seen).containsExactly("/1", "a", "/2", "b");
	}

	@Test
	void anAnswerInPartsCountsFromItsEnd() {
		request("/1", "a");
		request("/2", "b");
		this.channel.writeOutbound(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK), content("x"));
		this.channel.runPendingTasks();
		assertThat(this.seen).containsExactly("/1", "a");
		this.channel.writeOutbound(last("y"));
		this.channel.runPendingTasks();
		assertThat(this.seen).containsExactly("/1", "a", "/2", "b");
	}

	@Test
	void whatWaitsIsReleasedWhenTheConnectionCloses() {
		request("/1", "a");
		request("/2", "b");
		this.channel.close().syncUninterruptibly();
		this.channel.runPendingTasks();
		assertThat(this.seen).containsExactly("/1", "a");
	}

	@Test
	void anAnswerAsTheConnectionClosesBringsNothingBack() {
		request("/1", "a");
		request("/2", "b");
		this.channel.writeOneOutbound(LastHttpContent.EMPTY_LAST_CONTENT);
		this.channel.flushOutbound();
		this.channel.close().syncUninterruptibly();
		this.channel.runPendingTasks();
	}

	@Test
	void aConnectionThatSpeaksNoHttp1IsLeftAlone() {
		EmbeddedChannel other = new EmbeddedChannel();
		OneRequestAtATime.on(other);
		assertThat(other.pipeline().names()).noneMatch((name) -> name.contains("oneRequest"));
		other.finishAndReleaseAll();
	}

	private void request(String uri, String body) {
		this.channel.writeInbound(head(uri), last(body));
	}

	private void answer() {
		this.channel.writeOutbound(
				new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.EMPTY_BUFFER));
		this.channel.runPendingTasks();
	}

	private static HttpRequest head(String uri) {
		return new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, uri);
	}

	private HttpContent content(String text) {
		return new DefaultHttpContent(buffer(text));
	}

	private LastHttpContent last(String text) {
		return new DefaultLastHttpContent(buffer(text));
	}

	private ByteBuf buffer(String text) {
		ByteBuf buffer = Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
		this.sent.add(buffer);
		return buffer;
	}

}
