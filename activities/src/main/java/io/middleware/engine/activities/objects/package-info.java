/** Writes, owns and deletes single objects of the cluster, in place of the App's account. */
package io.middleware.engine.activities.objects;
