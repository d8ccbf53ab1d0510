/** Real servers from the cache for tests, each started once for all classes of a module. */
package io.middleware.engine.process.servers;
