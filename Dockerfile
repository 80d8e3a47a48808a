# The bot in a small image: `docker build -t quorum .`, then
# `docker run --env-file .env -v quorum:/data quorum`.

FROM rust:1.95-slim-bookworm AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends build-essential pkg-config \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
# The cache keeps what was built for the next time, so the program is copied out of it.
RUN --mount=type=cache,target=/usr/local/cargo/registry --mount=type=cache,target=/source/target \
    cargo build --release --locked && cp target/release/quorum /usr/local/bin/quorum
# Lines for backtraces are a file of their own; names of functions stay in the program.
RUN cd /usr/local/bin \
    && objcopy --only-keep-debug quorum quorum.debug \
    && strip --strip-debug quorum \
    && objcopy --add-gnu-debuglink=quorum.debug quorum

# `docker build --target debug --output . .` gives that file, of the same build. Where it lies beside the program, a
# backtrace has lines too.
FROM scratch AS debug
COPY --from=build /usr/local/bin/quorum.debug /

FROM debian:bookworm-slim
# Certificates for the model providers; fonts for letters that the built-in one lacks.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates fonts-dejavu-core fonts-noto-cjk \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /data quorum \
    && install --directory --owner=quorum --group=quorum /data
COPY --from=build /usr/local/bin/quorum /usr/local/bin/quorum
USER quorum
WORKDIR /data
ENV DATABASE_URL=sqlite:///data/quorum.db
VOLUME /data
# However it is stopped, what it was doing goes on after the next start.
ENTRYPOINT ["quorum"]
CMD ["run"]
