package io.middleware.engine.agent.store;

import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.NoSuchUploadException;

/**
 * One upload in parts: one part is read while others are sent. The object appears when all parts
 * are there; after a failure the parts are removed.
 */
final class S3Upload {
  static final String TYPE = "application/octet-stream";

  /** With the most parts that S3 allows: 78 GiB. */
  static final int PART_BYTES = 8 * 1024 * 1024;

  static final int MAX_PARTS = 10_000;

  /** The memory of an upload: one being read, the others being sent. */
  private static final int BUFFERS = 4;

  /** How long the parts being sent may take after a failure. */
  private static final Duration LAST_PARTS = Duration.ofSeconds(2);

  private final S3Client client;
  private final String bucket;
  private final String key;
  private final BlockingQueue<byte[]> free = new ArrayBlockingQueue<>(BUFFERS);
  private final List<Future<CompletedPart>> parts = new ArrayList<>();
  private volatile boolean failed;
  private long size;

  S3Upload(S3Client client, String bucket, String key) {
    this.client = client;
    this.bucket = bucket;
    this.key = key;
  }

  /**
   * @param first the first part, full
   * @param rest what follows
   */
  void run(byte[] first, InputStream rest) throws IOException {
    abortAll(client, bucket, key);
    var id = client.createMultipartUpload(create -> create.bucket(bucket).key(key)).uploadId();
    var completed = false;
    var senders = Executors.newVirtualThreadPerTaskExecutor();
    try {
      send(id, first, rest, senders);
      complete(id);
      completed = true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } finally {
      if (!completed) {
        abortAfter(id, senders);
      }
      senders.close();
    }
  }

  static ContentStreamProvider bytes(byte[] buffer, int length) {
    return () -> new ByteArrayInputStream(buffer, 0, length);
  }

  /** The header Content-MD5, without which a bucket with Object Lock takes nothing. */
  static String md5(byte[] buffer, int length) {
    try {
      var digest = MessageDigest.getInstance("MD5");
      digest.update(buffer, 0, length);
      return Base64.getEncoder().encodeToString(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has MD5", e);
    }
  }

  private void send(String id, byte[] first, InputStream rest, ExecutorService senders)
      throws IOException, InterruptedException {
    for (var i = 1; i < BUFFERS; i++) {
      free.add(new byte[PART_BYTES]);
    }
    var buffer = first;
    var length = first.length;
    while (length > 0) {
      sendPart(id, buffer, length, senders);
      size += length;
      buffer = free.take();
      length = failed ? 0 : rest.readNBytes(buffer, 0, buffer.length);
    }
  }

  private void sendPart(String id, byte[] buffer, int length, ExecutorService senders) {
    var number = parts.size() + 1;
    if (number > MAX_PARTS) {
      throw Status.FAILED_PRECONDITION
          .withDescription(
              "a backup in S3 has at most %d parts of %d bytes, and this one is larger: use a folder"
                  .formatted(MAX_PARTS, PART_BYTES))
          .asRuntimeException();
    }
    parts.add(
        senders.submit(
            () -> {
              try {
                var body = RequestBody.fromContentProvider(bytes(buffer, length), length, TYPE);
                var etag =
                    client
                        .uploadPart(
                            part ->
                                part.bucket(bucket)
                                    .key(key)
                                    .uploadId(id)
                                    .partNumber(number)
                                    .contentMD5(md5(buffer, length)),
                            body)
                        .eTag();
                return CompletedPart.builder().partNumber(number).eTag(etag).build();
              } catch (RuntimeException e) {
                failed = true;
                throw e;
              } finally {
                free.add(buffer);
              }
            }));
  }

  private void complete(String id) throws InterruptedException {
    List<CompletedPart> sent = new ArrayList<>();
    for (var part : parts) {
      try {
        sent.add(part.get());
      } catch (ExecutionException e) {
        throw e.getCause() instanceof SdkException sdk ? sdk : new IllegalStateException(e);
      }
    }
    try {
      client.completeMultipartUpload(
          complete ->
              complete
                  .bucket(bucket)
                  .key(key)
                  .uploadId(id)
                  .multipartUpload(all -> all.parts(sent)));
    } catch (NoSuchUploadException e) {
      // the client repeats a request without an answer, and the first one may have succeeded
      if (client.headObject(head -> head.bucket(bucket).key(key)).contentLength() != size) {
        throw e;
      }
    }
  }

  /**
   * Also in an interrupted thread. A part that arrives after the abort would stay, so those being
   * sent may arrive before it.
   */
  private void abortAfter(String id, ExecutorService senders) {
    var interrupted = Thread.interrupted();
    try {
      senders.shutdown();
      if (!senders.awaitTermination(LAST_PARTS.toSeconds(), TimeUnit.SECONDS)) {
        senders.shutdownNow();
      }
      senders.close();
      abort(client, bucket, key, id);
    } catch (SdkException e) {
      // the next upload of the key aborts it
    } catch (InterruptedException e) {
      interrupted = true;
    } finally {
      senders.shutdownNow();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void abort(S3Client client, String bucket, String key, String id) {
    client.abortMultipartUpload(abort -> abort.bucket(bucket).key(key).uploadId(id));
  }

  /** Removes the parts of all unfinished uploads of a key. */
  static void abortAll(S3Client client, String bucket, String key) {
    client.listMultipartUploadsPaginator(list -> list.bucket(bucket).prefix(key)).uploads().stream()
        .filter(upload -> upload.key().equals(key))
        .forEach(upload -> abort(client, bucket, key, upload.uploadId()));
  }
}
