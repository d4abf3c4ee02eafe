package dev.idempotency.testing;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;
import org.springframework.util.FileSystemUtils;

/** The programs out of the jar, unpacked once for all tests of this process. */
final class PostgresArchive {

	private static final int EXECUTABLE = 0100;

	private static final Path HOME = unpack();

	private PostgresArchive() {
	}

	static Path binaries() {
		return HOME.resolve("bin");
	}

	private static Path unpack() {
		try (InputStream jar = DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(system(),
				System.getProperty("os.arch"));
				TarArchiveInputStream archive = new TarArchiveInputStream(
						new XZCompressorInputStream(new BufferedInputStream(jar)))) {
			Path home = Files.createTempDirectory("postgres-binaries-");
			Runtime.getRuntime().addShutdownHook(new Thread(() -> FileSystemUtils.deleteRecursively(home.toFile())));
			Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
			for (TarArchiveEntry entry = archive.getNextEntry(); entry != null; entry = archive.getNextEntry()) {
				unpack(archive, entry, home.resolve(entry.getName()));
			}
			return home;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void unpack(InputStream archive, TarArchiveEntry entry, Path to) throws IOException {
		if (entry.isDirectory()) {
			Files.createDirectories(to);
			return;
		}
		Files.createDirectories(to.getParent());
		if (entry.isSymbolicLink()) {
			Files.createSymbolicLink(to, Path.of(entry.getLinkName()));
			return;
		}
		Files.copy(archive, to);
		if ((entry.getMode() & EXECUTABLE) != 0) {
			Files.setPosixFilePermissions(to, PosixFilePermissions.fromString("rwxr-xr-x"));
		}
	}

	private static String system() {
		String name = System.getProperty("os.name");
		return name.startsWith("Mac") ? "Darwin" : name.startsWith("Windows") ? "Windows" : "Linux";
	}

}
