# The bot in a small image: `docker build -t quorum .`, then
# `docker run --env-file .env -v quorum:/data quorum`. What a step does stands in docker/, where it is tried without Docker
# too (tests/image.rs); docker/pin.sh writes the base images' digests here.

FROM rust:1.95-slim-bookworm AS build
RUN --mount=type=bind,source=docker,target=/docker /docker/build-tools.sh
WORKDIR /source
COPY . .
RUN --mount=type=cache,target=/usr/local/cargo/registry --mount=type=cache,target=/source/target \
    docker/build.sh /usr/local/bin/quorum
RUN docker/split-debug.sh /usr/local/bin/quorum

# `docker build --target debug --output . .` gives the lines for backtraces, of the same build.
FROM scratch AS debug
COPY --from=build /usr/local/bin/quorum.debug /

FROM debian:bookworm-slim
RUN --mount=type=bind,source=docker,target=/docker /docker/runtime.sh
RUN --mount=type=bind,source=docker,target=/docker /docker/user.sh
COPY --from=build /usr/local/bin/quorum /usr/local/bin/quorum
USER quorum
WORKDIR /data
ENV DATABASE_URL=sqlite:///data/quorum.db
VOLUME /data
# However it is stopped, what it was doing goes on after the next start.
ENTRYPOINT ["quorum"]
CMD ["run"]
