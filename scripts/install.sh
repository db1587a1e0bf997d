#!/bin/sh
release_version=''
release_base=''
release_sums=''
