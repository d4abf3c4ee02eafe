# syntax=docker/dockerfile:1

# The ready gateway as an image. Build the jar first:
#   ./mvnw -DskipTests package && docker build -t idempotency-gateway:dev .

# One layer for what rarely changes, one for what changes with each commit.
FROM eclipse-temurin:25-jdk AS layers
WORKDIR /build
COPY target/idempotency-gateway-*-exec.jar gateway.jar
RUN java -Djarmode=tools -jar gateway.jar extract --layers --destination layers
COPY src/docker/Training.java .
RUN javac -d training Training.java

# The cache of loaded classes and profiles is good only for the runtime and the files that it was made with, so it is
# made where it will be used, by a gateway that really serves requests for a while.
FROM eclipse-temurin:25-jre AS trained
WORKDIR /gateway
COPY --from=layers /build/layers/dependencies/ ./
COPY --from=layers /build/layers/spring-boot-loader/ ./
COPY --from=layers /build/layers/snapshot-dependencies/ ./
COPY --from=layers /build/layers/application/ ./
COPY --from=layers /build/training/ /training/
RUN java -cp /training Training gateway.jar gateway.aot

FROM eclipse-temurin:25-jre
LABEL org.opencontainers.image.title="idempotency-gateway" \
      org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /gateway
COPY --from=layers /build/layers/dependencies/ ./
COPY --from=layers /build/layers/spring-boot-loader/ ./
COPY --from=layers /build/layers/snapshot-dependencies/ ./
COPY --from=layers /build/layers/application/ ./
COPY --from=trained /gateway/gateway.aot ./
COPY gateway-routes.yml ./
ENV SPRING_PROFILES_ACTIVE=container
USER 10001:10001
EXPOSE 8080 8081
# No shell in between: signals reach the gateway, which ends what runs.
ENTRYPOINT [ "java", "-XX:AOTCache=gateway.aot", "-jar", "gateway.jar" ]
