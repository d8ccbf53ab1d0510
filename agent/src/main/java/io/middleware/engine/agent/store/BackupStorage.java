package io.middleware.engine.agent.store;

import io.grpc.StatusRuntimeException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.OptionalLong;

/**
 * Keeps backups, each under a key such as {@code shop/cache/2026-11-25.rdb}. Memory does not grow
 * with the size of a backup.
 *
 * <p>Every failure of the store is a {@link StatusRuntimeException} that names the place and says
 * what to do: FAILED_PRECONDITION when a retry would fail in the same way (credentials, bucket,
 * full volume), otherwise UNAVAILABLE. The streams of the caller fail in the same way, with what
 * the caller has to say. An interrupted call fails like one without an answer, and leaves the
 * thread interrupted.
 */
public interface BackupStorage extends AutoCloseable {

  /**
   * Writes all of the content, or nothing: the key has its old content until the last byte is
   * stored. Removes what interrupted writes of the same key have left.
   */
  void write(String key, InputStream content);

  /**
   * Fails as a write of the key would, as far as that can be known before there is any content.
   * Writes nothing.
   */
  void requireWritable(String key);

  /** Copies the content of the key to the target, which stays open. */
  void read(String key, OutputStream target);

  /** The size in bytes; empty when there is no such key. */
  OptionalLong size(String key);

  /**
   * Deletes the key, and what interrupted writes of it have left. Does nothing when there is
   * neither.
   */
  void delete(String key);

  /** All keys that begin with the prefix, in alphabetical order. */
  List<String> list(String prefix);

  /** The key as people and other clients find it: {@code s3://bucket/…} or a path. */
  String location(String key);

  @Override
  void close();
}
