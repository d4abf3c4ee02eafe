package dev.idempotency.load.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

import com.sun.management.ThreadMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;

/** Looks into another Java process: its processor time, allocation and memory. */
public final class JavaMeter implements AutoCloseable {

	private static final Pattern OTHER = Pattern.compile("Other \\(reserved=\\d+KB, committed=(\\d+)KB");

	private final ProcessHandle process;

	private final JMXConnector connector;

	private final ThreadMXBean threads;

	private final MemoryMXBean memory;

	private JavaMeter(ProcessHandle process, JMXConnector connector) throws IOException {
		this.process = process;
		this.connector = connector;
		MBeanServerConnection server = connector.getMBeanServerConnection();
		this.threads = ManagementFactory.newPlatformMXBeanProxy(server, ManagementFactory.THREAD_MXBEAN_NAME,
				ThreadMXBean.class);
		this.memory = ManagementFactory.newPlatformMXBeanProxy(server, ManagementFactory.MEMORY_MXBEAN_NAME,
				MemoryMXBean.class);
	}

	/** Attaches to a process of the same user. */
	public static JavaMeter of(ProcessHandle process) {
		try {
			VirtualMachine machine = VirtualMachine.attach(Long.toString(process.pid()));
			String address = machine.startLocalManagementAgent();
			machine.detach();
			return new JavaMeter(process, JMXConnectorFactory.connect(new JMXServiceURL(address)));
		}
		catch (AttachNotSupportedException ex) {
			throw new IllegalStateException(ex);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Processor time of all its threads so far; on Linux in steps of 10 ms. */
	public Duration cpu() {
		return this.process.info()
			.totalCpuDuration()
			.orElseThrow(() -> new IllegalStateException("the process " + this.process.pid() + " has ended"));
	}

	/** Bytes that its living Java threads have allocated so far. */
	public long allocated() {
		long sum = 0;
		for (long bytes : this.threads.getThreadAllocatedBytes(this.threads.getAllThreadIds())) {
			sum += Math.max(bytes, 0);
		}
		return sum;
	}

	/** Bytes that live on its heap, after a collection. */
	public long heapAfterCollection() {
		this.memory.gc();
		return this.memory.getHeapMemoryUsage().getUsed();
	}

	/**
	 * Bytes outside its heap that are neither the JVM's own nor its code's: Netty's
	 * buffers, mostly. Needs {@code -XX:NativeMemoryTracking=summary}.
	 */
	public long direct() {
		String report = nativeMemory();
		Matcher other = OTHER.matcher(report);
		if (!other.find()) {
			throw new IllegalStateException("no line of other memory in: " + report);
		}
		return 1024 * Long.parseLong(other.group(1));
	}

	private String nativeMemory() {
		try {
			Object[] arguments = { new String[] { "summary", "scale=KB" } };
			return (String) this.connector.getMBeanServerConnection()
				.invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), "vmNativeMemory", arguments,
						new String[] { String[].class.getName() });
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (JMException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Bytes on its heap now, garbage included. */
	public long heap() {
		return this.memory.getHeapMemoryUsage().getUsed();
	}

	@Override
	public void close() {
		try {
			this.connector.close();
		}
		catch (IOException ex) {
			// The process has ended, and with it the connection.
		}
	}

}
