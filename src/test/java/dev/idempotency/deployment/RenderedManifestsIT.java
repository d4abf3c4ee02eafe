package dev.idempotency.deployment;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What {@code kubectl kustomize} makes of the overlays, read by the models of Kubernetes.
 * Left out where neither {@code kubectl} nor {@code kustomize} is installed.
 */
class RenderedManifestsIT {

	private static final String GATEWAY = "idempotency-gateway";

	private static final Path ROOT = Path.of("k8s").toAbsolutePath();

	private static Manifests render(String folder) throws Exception {
		String tool = Stream.of("kubectl", "kustomize").filter(RenderedManifestsIT::isInstalled).findFirst().orElse("");
		Assumptions.assumeFalse(tool.isEmpty(), "neither kubectl nor kustomize is installed");
		List<String> command = List.of(tool, tool.equals("kubectl") ? "kustomize" : "build",
				ROOT.resolve(folder).toString());
		Path rendered = Files.createTempFile("rendered", ".yaml");
		Process process = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(rendered.toFile())
			.start();
		assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
		String yaml = Files.readString(rendered);
		Files.delete(rendered);
		assertThat(process.exitValue()).as(yaml).isZero();
		return Manifests.parse(yaml);
	}

	private static boolean isInstalled(String tool) {
		return Stream.of(System.getenv("PATH").split(java.io.File.pathSeparator))
			.anyMatch((folder) -> Files.isExecutable(Path.of(folder, tool)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "base", "overlays/dev", "overlays/prod", "monitoring" })
	void everyManifestIsOneThatKubernetesKnows(String folder) throws Exception {
		assertThat(render(folder).all()).isNotEmpty()
			.allSatisfy((manifest) -> assertThat(manifest.getMetadata().getName()).isNotBlank());
	}

	@ParameterizedTest
	@ValueSource(strings = { "overlays/dev", "overlays/prod" })
	void allPodsKeepToTheRestrictedStandard(String folder) throws Exception {
		for (Deployment deployment : render(folder).all(Deployment.class)) {
			PodSpec pod = deployment.getSpec().getTemplate().getSpec();
			assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
			assertThat(pod.getSecurityContext().getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
			assertThat(pod.getAutomountServiceAccountToken()).isFalse();
			assertThat(pod.getContainers()).allSatisfy((container) -> {
				SecurityContext context = container.getSecurityContext();
				assertThat(context.getAllowPrivilegeEscalation()).isFalse();
				assertThat(context.getReadOnlyRootFilesystem()).isTrue();
				assertThat(context.getCapabilities().getDrop()).containsExactly("ALL");
				assertThat(container.getResources().getRequests()).containsKeys("cpu", "memory");
				assertThat(container.getResources().getLimits()).containsKey("memory");
			});
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "base", "overlays/dev", "overlays/prod" })
	void whateverSelectsTheGatewayFindsItsPodsAndNoOthers(String folder) throws Exception {
		Manifests manifests = render(folder);
		Map<String, String> labels = gateway(manifests).getSpec().getTemplate().getMetadata().getLabels();
		assertThat(labels).containsEntry("app.kubernetes.io/name", GATEWAY);
		assertThat(List.of(gateway(manifests).getSpec().getSelector().getMatchLabels(),
				manifests.one(Service.class, GATEWAY).getSpec().getSelector(),
				manifests.one(Service.class, GATEWAY + "-management").getSpec().getSelector(),
				manifests.one(PodDisruptionBudget.class, GATEWAY).getSpec().getSelector().getMatchLabels(),
				manifests.one(NetworkPolicy.class, GATEWAY).getSpec().getPodSelector().getMatchLabels()))
			.allSatisfy((selector) -> {
				assertThat(selector).isNotEmpty();
				assertThat(labels).containsAllEntriesOf(selector);
			});
		assertThat(manifests.one(HorizontalPodAutoscaler.class, GATEWAY).getSpec().getScaleTargetRef().getName())
			.isEqualTo(gateway(manifests).getMetadata().getName());
	}

	@ParameterizedTest
	@ValueSource(strings = { "base", "overlays/dev", "overlays/prod" })
	void anotherFileOfRoutesIsAnotherMapSoThatPodsAreRolled(String folder) throws Exception {
		Manifests manifests = render(folder);
		String mounted = pod(manifests).getVolumes()
			.stream()
			.filter((volume) -> volume.getConfigMap() != null)
			.map((volume) -> volume.getConfigMap().getName())
			.findFirst()
			.orElseThrow();
		assertThat(mounted).matches("gateway-routes-[0-9a-z]{10}");
		String routes = manifests.one(ConfigMap.class, mounted).getData().get("routes.yml");
		String place = env(container(manifests), "GATEWAY_ROUTES");
		String mountPoint = container(manifests).getVolumeMounts()
			.stream()
			.filter((mount) -> mount.getName().equals("routes"))
			.map(VolumeMount::getMountPath)
			.findFirst()
			.orElseThrow();
		assertThat(place).isEqualTo(mountPoint + "/routes.yml");
		assertThat(flat(routes)).containsKey("spring.cloud.gateway.server.webflux.routes[0].id");
	}

	@ParameterizedTest
	@ValueSource(strings = { "overlays/dev", "overlays/prod" })
	void aPodHasTheTimeThatItsGatewayTakesToEnd(String folder) throws Exception {
		Container gateway = container(render(folder));
		long pause = gateway.getLifecycle().getPreStop().getSleep().getSeconds();
		Duration phase = DurationStyle.detectAndParse(env(gateway, "SPRING_LIFECYCLE_TIMEOUTPERSHUTDOWNPHASE"));
		assertThat(phase).as("longer than the deadline of an operation").isGreaterThan(Duration.ofSeconds(30));
		assertThat(pod(render(folder)).getTerminationGracePeriodSeconds()).isGreaterThan(pause + 2 * phase.toSeconds());
	}

	@ParameterizedTest
	@ValueSource(strings = { "overlays/dev", "overlays/prod" })
	void probesAskWhatDoesNotDependOnAStoreOnTheManagementPort(String folder) throws Exception {
		Container gateway = container(render(folder));
		assertThat(Stream.of(gateway.getStartupProbe(), gateway.getLivenessProbe(), gateway.getReadinessProbe()))
			.allSatisfy((probe) -> {
				assertThat(probe.getHttpGet().getPort().getStrVal()).isEqualTo("management");
				assertThat(probe.getHttpGet().getPath()).matches("/actuator/health/(liveness|readiness)");
			});
	}

	@Test
	void managementIsForTheMonitoringAlone() throws Exception {
		NetworkPolicy policy = render("overlays/prod").one(NetworkPolicy.class, GATEWAY);
		assertThat(policy.getSpec().getIngress()).filteredOn(
				(rule) -> rule.getPorts().stream().anyMatch((port) -> port.getPort().getStrVal().equals("management")))
			.singleElement()
			.satisfies((rule) -> assertThat(rule.getFrom()).singleElement()
				.satisfies((peer) -> assertThat(peer.getNamespaceSelector().getMatchLabels())
					.containsEntry("kubernetes.io/metadata.name", "monitoring")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "overlays/dev", "overlays/prod" })
	void theGatewayMayAskTheClustersNamesFromWhoeverAnswers(String folder) throws Exception {
		NetworkPolicy policy = render(folder).one(NetworkPolicy.class, GATEWAY);
		assertThat(policy.getSpec().getEgress()).filteredOn((rule) -> !rule.getPorts().isEmpty())
			.singleElement()
			.satisfies((rule) -> assertThat(rule.getTo().get(0).getPodSelector().getMatchLabels())
				.isEqualTo(Map.of("k8s-app", "kube-dns")));
	}

	@Test
	void productionTakesItsSecretsFromOutsideAndContainsNone() throws Exception {
		Manifests manifests = render("overlays/prod");
		assertThat(manifests.all()).extracting(HasMetadata::getKind).doesNotContain("Secret");
		Set<String> named = new TreeSet<>();
		container(manifests).getEnv().forEach((variable) -> {
			if (variable.getValueFrom() != null) {
				named.add(variable.getName());
			}
			else {
				assertThat(variable.getName()).doesNotContain("PASSWORD");
			}
		});
		assertThat(named).contains("SPRING_DATA_REDIS_PASSWORD", "SPRING_R2DBC_PASSWORD");
	}

	@Test
	void productionIsMonitoredAndItsMonitorFindsTheServiceOfManagement() throws Exception {
		Manifests manifests = render("overlays/prod");
		GenericKubernetesResource monitor = manifests.all(GenericKubernetesResource.class)
			.stream()
			.filter((resource) -> resource.getKind().equals("ServiceMonitor"))
			.findFirst()
			.orElseThrow();
		Map<String, String> wanted = monitor.get("spec", "selector", "matchLabels");
		assertThat(manifests.all(Service.class))
			.filteredOn((service) -> service.getMetadata().getLabels().entrySet().containsAll(wanted.entrySet()))
			.singleElement()
			.satisfies((service) -> assertThat(service.getSpec().getPorts().get(0).getName())
				.isEqualTo(monitor.<List<Map<String, Object>>>get("spec", "endpoints").get(0).get("port")));
	}

	private static Deployment gateway(Manifests manifests) {
		return manifests.one(Deployment.class, GATEWAY);
	}

	private static PodSpec pod(Manifests manifests) {
		return gateway(manifests).getSpec().getTemplate().getSpec();
	}

	private static Container container(Manifests manifests) {
		return pod(manifests).getContainers().get(0);
	}

	private static String env(Container container, String name) {
		return container.getEnv()
			.stream()
			.filter((variable) -> variable.getName().equals(name))
			.map(EnvVar::getValue)
			.findFirst()
			.orElseThrow();
	}

	static Properties flat(String yaml) {
		YamlPropertiesFactoryBean reader = new YamlPropertiesFactoryBean();
		reader.setResources(new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)));
		return java.util.Objects.requireNonNull(reader.getObject());
	}

}
